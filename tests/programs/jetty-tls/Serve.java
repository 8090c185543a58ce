import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.http.HttpClient;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.util.ssl.SslContextFactory;

public class Serve {
    public static class Hello extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest q, HttpServletResponse r) throws IOException {
            r.setContentType("text/plain");
            r.getWriter().println("hello " + q.getParameter("n") + " " + q.getHeader("X-Id") + " " + q.isSecure());
        }

        @Override
        protected void doPost(HttpServletRequest q, HttpServletResponse r) throws IOException {
            r.getOutputStream().write(q.getInputStream().readAllBytes());
        }
    }

    public static void main(String[] args) throws Exception {
        SslContextFactory.Server tls = new SslContextFactory.Server();
        tls.setKeyStorePath(new java.io.File(args[0]).getAbsolutePath());
        tls.setKeyStorePassword(args[1]);
        HttpConfiguration https = new HttpConfiguration();
        https.addCustomizer(new SecureRequestCustomizer(false));
        ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory();
        alpn.setDefaultProtocol("http/1.1");
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server, new SslConnectionFactory(tls, alpn.getProtocol()), alpn,
                new HTTP2ServerConnectionFactory(https), new HttpConnectionFactory(https));
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler(server, "/");
        context.addServlet(Hello.class, "/hello");
        server.start();
        TlsClient.load(connector.getLocalPort(), HttpClient.Version.HTTP_2, args[0], args[1], Integer.parseInt(args[2]));
        server.stop();
        System.out.println("stopped");
    }
}
