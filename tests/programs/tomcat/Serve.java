import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.http.HttpClient;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;

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
        java.util.logging.Logger.getLogger("").setLevel(java.util.logging.Level.SEVERE);
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(args[3]);
        Connector connector = new Connector("org.apache.coyote.http11.Http11NioProtocol");
        connector.setPort(0);
        connector.setScheme("https");
        connector.setSecure(true);
        connector.setProperty("SSLEnabled", "true");
        SSLHostConfig host = new SSLHostConfig();
        SSLHostConfigCertificate certificate = new SSLHostConfigCertificate(host, SSLHostConfigCertificate.Type.RSA);
        certificate.setCertificateKeystoreFile(new java.io.File(args[0]).getAbsolutePath());
        certificate.setCertificateKeystorePassword(args[1]);
        certificate.setCertificateKeystoreType("PKCS12");
        host.addCertificate(certificate);
        connector.addSslHostConfig(host);
        tomcat.setConnector(connector);
        Context context = tomcat.addContext("", args[3]);
        Tomcat.addServlet(context, "hello", new Hello());
        context.addServletMappingDecoded("/hello", "hello");
        tomcat.start();
        TlsClient.load(connector.getLocalPort(), HttpClient.Version.HTTP_1_1, args[0], args[1], Integer.parseInt(args[2]));
        tomcat.stop();
        tomcat.destroy();
        System.out.println("stopped");
    }
}
