import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.*;
import org.apache.lucene.index.*;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.*;
import org.apache.lucene.store.*;

public class Index {
    public static void main(String[] args) throws Exception {
        String[] words = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi".split(" ");
        Random random = new Random(42);
        int documents = Integer.parseInt(args[0]);
        Path folder = Files.createDirectories(Path.of("index"));
        try (Directory dir = FSDirectory.open(folder);
             // Merges by other threads number the documents as it comes, and equal scores are ordered by that.
             IndexWriter writer = new IndexWriter(dir, new IndexWriterConfig(new StandardAnalyzer()).setMaxBufferedDocs(300)
                     .setMergeScheduler(new SerialMergeScheduler()))) {
            for (int i = 0; i < documents; i++) {
                StringBuilder body = new StringBuilder();
                for (int w = 0; w < 12; w++) {
                    double g = Math.abs(random.nextGaussian()) * 4;
                    body.append(words[Math.min(words.length - 1, (int) g)]).append(' ');
                }
                Document d = new Document();
                d.add(new StringField("id", "d" + i, Field.Store.YES));
                d.add(new TextField("body", body.toString(), Field.Store.NO));
                d.add(new NumericDocValuesField("rank", i * 31 % 1009));
                d.add(new IntPoint("n", i));
                if (i % 4 == 0) d.add(new KnnFloatVectorField("near", new float[] {i % 53, i % 97, i % 31, i / 100f}));
                writer.addDocument(d);
            }
            writer.deleteDocuments(new Term("id", "d7"));
            writer.forceMerge(1);
            writer.commit();
            try (DirectoryReader reader = DirectoryReader.open(dir)) {
                IndexSearcher searcher = new IndexSearcher(reader);
                System.out.println(reader.numDocs() + " documents in " + reader.leaves().size() + " segments");
                QueryParser parser = new QueryParser("body", new StandardAnalyzer());
                for (String q : List.of("nu", "\"mu nu\"~3", "+alpha -beta", "lam*", "kapa~1", "n* AND iota")) {
                    TopDocs top = searcher.search(parser.parse(q), 5);
                    System.out.print(q + ": " + top.totalHits);
                    for (ScoreDoc s : top.scoreDocs) {
                        System.out.printf(" %s=%.4f", searcher.doc(s.doc).get("id"), s.score);
                    }
                    System.out.println();
                }
                TopDocs sorted = searcher.search(IntPoint.newRangeQuery("n", 100, 900), 5,
                        new Sort(new SortField("rank", SortField.Type.LONG, true)));
                for (ScoreDoc s : sorted.scoreDocs) System.out.print(searcher.doc(s.doc).get("id") + " ");
                System.out.println();
                TopDocs near = searcher.search(new KnnFloatVectorQuery("near", new float[] {20, 40, 10, 7}, 3), 3);
                for (ScoreDoc s : near.scoreDocs) System.out.printf("%s=%.5f ", searcher.doc(s.doc).get("id"), s.score);
                System.out.println();
                System.out.println(inParallel(reader, documents));
            }
        }
    }

    /** Four threads search the same reader, each for documents by id and for phrases. */
    static long inParallel(DirectoryReader reader, int documents) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        List<Future<Long>> all = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            int first = t;
            all.add(pool.submit(() -> {
                IndexSearcher searcher = new IndexSearcher(reader);
                long sum = 0;
                for (int i = first; i < documents; i += documents / 100) {
                    TopDocs byId = searcher.search(new TermQuery(new Term("id", "d" + i)), 1);
                    sum += byId.scoreDocs.length == 0 ? 0 : Integer.parseInt(searcher.doc(byId.scoreDocs[0].doc).get("id").substring(1));
                    PhraseQuery phrase = new PhraseQuery(i % 3, "body", "gamma", i % 2 == 0 ? "beta" : "delta");
                    sum += searcher.count(phrase);
                }
                return sum;
            }));
        }
        long sum = 0;
        for (Future<Long> f : all) sum += f.get();
        pool.shutdown();
        return sum;
    }
}
