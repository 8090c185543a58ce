import jakarta.servlet.http.*;
import java.io.IOException;
import java.net.URI;
import java.net.http.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import org.eclipse.jetty.server.*;
import org.eclipse.jetty.servlet.*;

public class Serve {
    public static class Hello extends HttpServlet {
        @Override protected void doGet(HttpServletRequest q, HttpServletResponse r) throws IOException {
            r.setContentType("text/plain");
            r.getWriter().println("hello " + q.getParameter("n") + " " + q.getHeader("X-Id"));
        }

        @Override protected void doPost(HttpServletRequest q, HttpServletResponse r) throws IOException {
            r.getOutputStream().write(q.getInputStream().readAllBytes());
        }
    }

    public static void main(String[] args) throws Exception {
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler(server, "/");
        context.addServlet(Hello.class, "/hello");
        server.start();
        String base = "http://127.0.0.1:" + connector.getLocalPort();
        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        AtomicLong sum = new AtomicLong(), statuses = new AtomicLong();
        ExecutorService pool = Executors.newFixedThreadPool(4);
        CompletableFuture<?>[] all = new CompletableFuture<?>[4];
        for (int t = 0; t < 4; t++) {
            int id = t;
            all[t] = CompletableFuture.runAsync(() -> {
                for (int n = 0; n < 250; n++) {
                    HttpRequest.Builder b = HttpRequest.newBuilder().header("X-Id", "" + id);
                    HttpRequest q = n % 10 == 9
                            ? b.uri(URI.create(base + "/hello")).POST(HttpRequest.BodyPublishers.ofString("body " + n)).build()
                            : b.uri(URI.create(base + "/hello?n=" + n)).build();
                    try {
                        HttpResponse<String> r = client.send(q, HttpResponse.BodyHandlers.ofString());
                        sum.addAndGet(r.body().hashCode());
                        statuses.addAndGet(r.statusCode());
                    } catch (IOException | InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }
            }, pool);
        }
        CompletableFuture.allOf(all).get(200, TimeUnit.SECONDS);
        pool.shutdown();
        System.out.println(sum + " " + statuses);
        System.out.println(client.send(HttpRequest.newBuilder(URI.create(base + "/none")).build(), HttpResponse.BodyHandlers.discarding()).statusCode());
        server.stop();
    }
}
