import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.expressions.Window;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.util.LongAccumulator;
import scala.Tuple2;

import static org.apache.spark.sql.functions.*;

/** Arguments: Java or Kryo serialisation, folder for Parquet files. */
public class Words {
    public static class Word implements Serializable {
        private String text;
        private int line;

        public Word() {}

        Word(String text, int line) {
            this.text = text;
            this.line = line;
        }

        public String getText() {
            return text;
        }

        public void setText(String text) {
            this.text = text;
        }

        public int getLine() {
            return line;
        }

        public void setLine(int line) {
            this.line = line;
        }
    }

    static List<String> lines() {
        String[] words = "the quick brown fox jumps over the lazy dog while the cat sleeps and a bird sings".split(" ");
        List<String> all = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            StringBuilder line = new StringBuilder();
            for (int k = 0; k < 8; k++) line.append(words[(i * 7 + k * k * 3) % words.length]).append(' ');
            all.add(line.toString());
        }
        return all;
    }

    static void show(Dataset<Row> rows) {
        for (Row r : rows.collectAsList()) System.out.println(r);
    }

    public static void main(String[] args) {
        SparkSession spark = SparkSession.builder().master("local[2]").appName("words").config("spark.ui.enabled", "false")
                .config("spark.sql.shuffle.partitions", "3").config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.serializer", "org.apache.spark.serializer." + args[0] + "Serializer").getOrCreate();
        JavaSparkContext context = new JavaSparkContext(spark.sparkContext());
        JavaRDD<String> lines = context.parallelize(lines(), 4);
        LongAccumulator letters = spark.sparkContext().longAccumulator("letters");
        Broadcast<String> stop = context.broadcast("a");
        JavaPairRDD<String, Integer> counts = lines.flatMap(l -> Arrays.asList(l.trim().split(" ")).iterator())
                .filter(w -> !w.equals(stop.value()))
                .mapToPair(w -> {
                    letters.add(w.length());
                    return new Tuple2<>(w, 1);
                }).reduceByKey(Integer::sum);
        for (Tuple2<String, Integer> t : counts.sortByKey().collect()) System.out.println(t._1() + " " + t._2());
        System.out.println("letters " + letters.value() + " partitions " + counts.getNumPartitions());

        List<Word> beans = new ArrayList<>();
        int n = 0;
        for (String line : lines()) {
            for (String w : line.trim().split(" ")) beans.add(new Word(w, n));
            n++;
        }
        Dataset<Word> words = spark.createDataset(beans, Encoders.bean(Word.class));
        words.createOrReplaceTempView("words");
        spark.udf().register("backwards", (UDF1<String, String>) s -> new StringBuilder(s).reverse().toString(), DataTypes.StringType);
        show(spark.sql("select backwards(text) b, count(*) c, sum(line) s, avg(line) a from words where line % 3 = 1 group by text order by c desc, b limit 6"));
        Dataset<Row> lengths = words.groupBy(col("text")).agg(length(first("text")).as("n"), countDistinct("line").as("lines"));
        show(words.join(lengths, "text").where(col("n").gt(4)).groupBy("n").agg(count("*"), max("line")).orderBy("n"));
        show(words.withColumn("rank", row_number().over(Window.partitionBy("text").orderBy(col("line").desc()))).where("rank = 2").orderBy("text").limit(5));
        words.write().partitionBy("text").parquet(args[1]);
        Dataset<Row> back = spark.read().parquet(args[1]);
        System.out.println(back.count() + " " + back.filter("text = 'fox'").select(sum("line")).first() + " " + back.schema().simpleString());
        System.out.println(words.map((org.apache.spark.api.java.function.MapFunction<Word, Integer>) w -> w.getLine() + 1, Encoders.INT()).reduce((org.apache.spark.api.java.function.ReduceFunction<Integer>) Integer::sum));
        try {
            lines.map(l -> 1 / (l.length() - l.length())).collect();
        } catch (Exception e) {
            Throwable cause = e;
            while (cause.getCause() != null) cause = cause.getCause();
            System.out.println(e.getClass().getName() + " from " + cause.getClass().getName());
        }
        spark.stop();
        System.out.println("stopped");
    }
}
