import com.fasterxml.jackson.annotation.*;
import com.fasterxml.jackson.core.*;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.*;
import com.google.common.base.Charsets;
import com.google.common.base.Joiner;
import com.google.common.base.Splitter;
import com.google.common.cache.*;
import com.google.common.collect.*;
import com.google.common.eventbus.*;
import com.google.common.graph.*;
import com.google.common.hash.Hashing;
import com.google.common.reflect.TypeToken;
import com.google.common.util.concurrent.*;
import java.util.*;
import java.util.concurrent.*;

public class Use {
    public record Person(String name, int age, List<String> tags) { }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({@JsonSubTypes.Type(value = Dog.class, name = "dog"), @JsonSubTypes.Type(value = Cat.class, name = "cat")})
    public abstract static class Animal { public String name; }
    public static class Dog extends Animal { public int bark = 3; @JsonIgnore public int hidden = 9; }
    public static class Cat extends Animal { @JsonProperty("lives_left") private int lives = 9; public Optional<String> none() { return Optional.empty(); } }

    public static void main(String[] args) throws Exception {
        ObjectMapper json = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);
        String text = json.writeValueAsString(List.of(new Person("a", 1, List.of("x", "\u00fc\"")), new Person("b", 2, List.of())));
        System.out.println(text);
        System.out.println(json.readValue(text, new TypeReference<List<Person>>() { }));
        Animal[] zoo = json.readValue("[{\"kind\":\"dog\",\"name\":\"r\",\"bark\":7},{\"kind\":\"cat\",\"name\":\"t\",\"lives_left\":4}]", Animal[].class);
        System.out.println(json.writeValueAsString(zoo));
        JsonNode tree = json.readTree("{\"a\":[1,2.5,1e300,12345678901234567890],\"b\":{\"c\":null}}");
        System.out.println(tree.at("/a/3").bigIntegerValue() + " " + tree.at("/b/c").isNull() + " " + tree);
        try {
            json.readValue("{\"name\":1,\"what\":2}", Person.class);
        } catch (JsonProcessingException e) {
            System.out.println(e.getOriginalMessage());
        }
        try {
            json.readTree("{\"a\" 1}");
        } catch (JsonParseException e) {
            System.out.println(e.getMessage());
        }

        Multimap<Integer, String> byLength = Multimaps.index(List.of("a", "bb", "cc", "ddd"), String::length);
        System.out.println(byLength + " " + ImmutableSortedMap.of("z", 1, "a", 2) + " " + Sets.powerSet(ImmutableSet.of(1, 2, 3)).size());
        Table<String, String, Integer> table = TreeBasedTable.create();
        table.put("r", "c", 1);
        System.out.println(table + " " + RangeSet.class.getSimpleName() + " " + TreeRangeSet.create(List.of(Range.closed(1, 3), Range.open(2, 8))));
        LoadingCache<Integer, String> cache = CacheBuilder.newBuilder().maximumSize(10).recordStats().weakValues().build(CacheLoader.from(i -> "v" + i));
        for (int i = 0; i < 50; i++) cache.get(i % 7);
        System.out.println(cache.size() + " " + cache.stats().requestCount());
        System.out.println(Hashing.sha256().hashString("x", Charsets.UTF_8) + " " + Hashing.murmur3_128(7).hashLong(42) + " " + Hashing.crc32c().hashInt(5));
        MutableValueGraph<String, Integer> g = ValueGraphBuilder.directed().build();
        g.putEdgeValue("a", "b", 1);
        g.putEdgeValue("b", "c", 2);
        System.out.println(Graphs.reachableNodes(g.asGraph(), "a") + " " + Graphs.hasCycle(g.asGraph()));
        System.out.println(new TypeToken<Map<String, List<? super Integer>>>() { }.resolveType(Map.class.getTypeParameters()[1]));
        EventBus bus = new EventBus();
        bus.register(new Object() { @Subscribe public void on(String s) { System.out.println("event " + s); } });
        bus.post("e");
        ListeningExecutorService pool = MoreExecutors.listeningDecorator(Executors.newFixedThreadPool(3));
        List<ListenableFuture<Integer>> all = new ArrayList<>();
        for (int i = 0; i < 20; i++) { int n = i; all.add(pool.submit(() -> n * n)); }
        System.out.println(Futures.transform(Futures.allAsList(all), l -> l.stream().mapToInt(x -> x).sum(), pool).get());
        RateLimiter.create(1000).acquire();
        pool.shutdown();
        System.out.println(Joiner.on('|').withKeyValueSeparator("=").join(Splitter.on(',').withKeyValueSeparator(':').split("a:1,b:2")));
    }
}
