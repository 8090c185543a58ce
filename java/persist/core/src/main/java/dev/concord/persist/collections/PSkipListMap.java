package dev.concord.persist.collections;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;

/** A sorted map with a volatile skip list as mirror, in the natural order of its keys. */
public final class PSkipListMap<K extends Comparable<? super K>, V> extends MirrorMap<K, V> implements SortedOwner<K, V> {
    static final String $jnvm$fields = "";
    private final transient SkipPlaces places = new SkipPlaces();
    private final transient SortedView<K, V> whole = new SortedView<>(this);

    public PSkipListMap() {
        this(Caching.BASE);
    }

    public PSkipListMap(Caching caching) {
        super(caching);
    }

    PSkipListMap(Resurrection r) {
        super(r);
    }

    @Override
    Places places() {
        return places;
    }

    @Override
    public SortedView<K, V> whole() {
        return whole;
    }

    @Override
    public List<Entry<K, V>> run(K from, boolean inclusive, boolean descending, int most) {
        List<Entry<K, V>> found = new ArrayList<>(most);
        for (Slot s = places.from(from, inclusive, descending); s != null; s = places.after(s, descending)) {
            Entry<K, V> live = entry(s);
            if (live != null) {
                found.add(live);
                if (found.size() == most) {
                    break;
                }
            }
        }
        return found;
    }

    @Override
    public NavigableSet<K> keySet() {
        return whole.navigableKeySet();
    }
}
