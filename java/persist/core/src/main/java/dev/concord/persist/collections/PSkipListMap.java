package dev.concord.persist.collections;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** A sorted map with a volatile skip list as mirror, in the natural order of its keys. */
public final class PSkipListMap<K extends Comparable<? super K>, V> extends MirrorMap<K, V> implements SortedOwner<K, V> {
    static final String $jnvm$fields = "";
    private final transient ConcurrentSkipListMap<K, Slot> mirror = new ConcurrentSkipListMap<>();
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
    ConcurrentMap<K, Slot> mirror() {
        return mirror;
    }

    @Override
    public SortedView<K, V> whole() {
        return whole;
    }

    @Override
    public List<Entry<K, V>> run(K from, boolean inclusive, boolean descending, int most) {
        ConcurrentNavigableMap<K, Slot> places = descending ? mirror.descendingMap() : mirror;
        List<Entry<K, V>> found = new ArrayList<>(most);
        for (Map.Entry<K, Slot> e : (from == null ? places : places.tailMap(from, inclusive)).entrySet()) {
            Entry<K, V> live = entry(e.getKey(), e.getValue());
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
