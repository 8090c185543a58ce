import java.util.HashMap;
import java.util.Map;

/** A program whose methods get hot: collections, strings, lambdas, a loop that is entered while it runs. */
public class Work {
    public static void main(String[] args) {
        Map<String, Integer> counts = new HashMap<>();
        long sum = 0;
        for (int i = 0; i < 100_000; i++) {
            String key = "key" + i % 1000;
            counts.merge(key, 1, Integer::sum);
            sum += key.hashCode();
        }
        System.out.println(counts.size() + " " + sum);
    }
}
