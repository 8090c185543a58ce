import java.io.*;
import java.net.*;
import java.nio.*;
import java.nio.channels.*;
import java.util.*;

public class I03Sockets {
    public static void main(String[] args) throws Exception {
        InetAddress lo = InetAddress.getLoopbackAddress();
        try (ServerSocket ss = new ServerSocket(0, 5, lo)) {
            Thread t =
                    new Thread(
                            () -> {
                                try (Socket s = ss.accept();
                                        BufferedReader r =
                                                new BufferedReader(
                                                        new InputStreamReader(s.getInputStream()));
                                        PrintWriter w =
                                                new PrintWriter(s.getOutputStream(), true)) {
                                    String l;
                                    while ((l = r.readLine()) != null) w.println("echo " + l);
                                } catch (IOException e) {
                                    System.out.println(e);
                                }
                            });
            t.start();
            try (Socket c = new Socket(lo, ss.getLocalPort())) {
                c.setTcpNoDelay(true);
                PrintWriter w = new PrintWriter(c.getOutputStream(), true);
                BufferedReader r = new BufferedReader(new InputStreamReader(c.getInputStream()));
                for (int i = 0; i < 3; i++) {
                    w.println("m" + i);
                    System.out.println(r.readLine());
                }
                c.setSoTimeout(20);
                try {
                    r.read();
                } catch (SocketTimeoutException e) {
                    System.out.println(e.getMessage());
                }
                c.shutdownOutput();
            }
            t.join();
            ss.setSoTimeout(10);
            try {
                ss.accept();
            } catch (SocketTimeoutException e) {
                System.out.println("accept " + e.getMessage());
            }
        }
        int dead;
        try (ServerSocket x = new ServerSocket(0, 1, lo)) {
            dead = x.getLocalPort();
        }
        try {
            new Socket(lo, dead);
        } catch (ConnectException e) {
            System.out.println(e.getMessage());
        }
        try {
            InetAddress.getByName("no.such.host.invalid");
        } catch (UnknownHostException e) {
            System.out.println("unknown host");
        }
        try (Selector sel = Selector.open();
                ServerSocketChannel ssc = ServerSocketChannel.open()) {
            ssc.bind(new InetSocketAddress(lo, 0));
            ssc.configureBlocking(false);
            ssc.register(sel, SelectionKey.OP_ACCEPT);
            SocketChannel cl = SocketChannel.open(ssc.getLocalAddress());
            cl.write(ByteBuffer.wrap("nio".getBytes()));
            int got = 0;
            while (got < 3) {
                sel.select(1000);
                for (Iterator<SelectionKey> it = sel.selectedKeys().iterator(); it.hasNext(); ) {
                    SelectionKey k = it.next();
                    it.remove();
                    if (k.isAcceptable()) {
                        SocketChannel a = ssc.accept();
                        a.configureBlocking(false);
                        a.register(sel, SelectionKey.OP_READ);
                    } else {
                        ByteBuffer b = ByteBuffer.allocate(10);
                        got += ((SocketChannel) k.channel()).read(b);
                        System.out.println(new String(b.array(), 0, b.position()));
                        k.channel().close();
                    }
                }
            }
            cl.close();
            Thread wk = new Thread(sel::wakeup);
            wk.start();
            System.out.println(sel.select());
            wk.join();
        }
        try (DatagramSocket a = new DatagramSocket(0, lo);
                DatagramSocket b = new DatagramSocket(0, lo)) {
            a.send(new DatagramPacket("udp".getBytes(), 3, lo, b.getLocalPort()));
            DatagramPacket p = new DatagramPacket(new byte[10], 10);
            b.setSoTimeout(2000);
            b.receive(p);
            System.out.println(new String(p.getData(), 0, p.getLength()));
        }
        System.out.println(
                new URI("http://u@h:80/p?q#f").getPath()
                        + URLEncoder.encode("a b&\u20ac", "UTF-8")
                        + URLDecoder.decode("%41+b", "UTF-8")
                        + InetAddress.getByName("127.0.0.1")
                        + InetAddress.getByName("::1").getHostAddress()
                        + new URL("http://x/y").getHost());
        com.sun.net.httpserver.HttpServer hs =
                com.sun.net.httpserver.HttpServer.create(new InetSocketAddress(lo, 0), 0);
        hs.createContext(
                "/",
                e -> {
                    byte[] r = ("got " + e.getRequestURI()).getBytes();
                    e.sendResponseHeaders(200, r.length);
                    e.getResponseBody().write(r);
                    e.close();
                });
        hs.start();
        System.out.println(
                java.net.http.HttpClient.newHttpClient()
                        .send(
                                java.net.http.HttpRequest.newBuilder(
                                                URI.create(
                                                        "http://localhost:"
                                                                + hs.getAddress().getPort()
                                                                + "/p"))
                                        .build(),
                                java.net.http.HttpResponse.BodyHandlers.ofString())
                        .body());
        try (InputStream in =
                new URL("http://localhost:" + hs.getAddress().getPort() + "/q").openStream()) {
            System.out.println(new String(in.readAllBytes()));
        }
        hs.stop(0);
    }
}
