import java.io.FileInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.KeyStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** java.net.http over TLS against a server with `/hello`: four threads, every tenth request a POST that is echoed. */
final class TlsClient {
    private static final int THREADS = 4;

    private TlsClient() {}

    static SSLContext trusting(String store, String password) throws Exception {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (FileInputStream in = new FileInputStream(store)) {
            keys.load(in, password.toCharArray());
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(keys);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    static void load(int port, HttpClient.Version version, String store, String password, int requests) throws Exception {
        HttpClient client = HttpClient.newBuilder().version(version).sslContext(trusting(store, password)).build();
        String base = "https://127.0.0.1:" + port + "/hello";
        AtomicLong bodies = new AtomicLong(), statuses = new AtomicLong();
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        CompletableFuture<?>[] all = new CompletableFuture<?>[THREADS];
        for (int t = 0; t < THREADS; t++) {
            int id = t;
            all[t] = CompletableFuture.runAsync(() -> {
                for (int n = 0; n < requests / THREADS; n++) {
                    HttpRequest.Builder b = HttpRequest.newBuilder().header("X-Id", "" + id);
                    HttpRequest q = n % 10 == 9
                            ? b.uri(URI.create(base)).POST(HttpRequest.BodyPublishers.ofString("body " + n)).build()
                            : b.uri(URI.create(base + "?n=" + n)).build();
                    try {
                        HttpResponse<String> r = client.send(q, HttpResponse.BodyHandlers.ofString());
                        bodies.addAndGet(r.body().hashCode());
                        statuses.addAndGet(r.statusCode());
                    } catch (IOException | InterruptedException e) {
                        throw new IllegalStateException(id + " " + n, e);
                    }
                }
            }, pool);
        }
        CompletableFuture.allOf(all).get(20, TimeUnit.MINUTES);
        pool.shutdown();
        System.out.println(bodies + " " + statuses);
        HttpResponse<Void> last = client.send(HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + "/none")).build(),
                HttpResponse.BodyHandlers.discarding());
        System.out.println(last.statusCode() + " " + last.version() + " " + last.sslSession().get().getProtocol()
                + " " + last.sslSession().get().getCipherSuite());
        try {
            HttpClient.newBuilder().build().send(HttpRequest.newBuilder(URI.create(base)).build(), HttpResponse.BodyHandlers.discarding());
        } catch (IOException e) {
            // The default trust store does not know the certificate.
            System.out.println(e.getClass().getName() + ": " + e.getMessage());
        }
    }
}
