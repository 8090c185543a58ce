import java.nio.file.*;
import java.util.*;
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
        Path folder = Files.createDirectories(Path.of("index"));
        try (Directory dir = FSDirectory.open(folder);
             IndexWriter writer = new IndexWriter(dir, new IndexWriterConfig(new StandardAnalyzer()).setMaxBufferedDocs(300))) {
            for (int i = 0; i < 2000; i++) {
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
            }
        }
    }
}
