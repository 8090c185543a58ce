package dev.concord.persist.bank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.concord.persist.PHeapOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bank over HTTP, and what is left of it after it was killed. */
class ServerTest {
    private static final int ACCOUNTS = 200;
    @TempDir
    Path dir;
    private final HttpClient http = HttpClient.newHttpClient();

    private String send(int port, String method, String path, int expected) throws IOException, InterruptedException {
        HttpResponse<String> r = http.send(HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                .method(method, HttpRequest.BodyPublishers.noBody()).build(), HttpResponse.BodyHandlers.ofString());
        assertEquals(expected, r.statusCode(), path + ": " + r.body());
        return r.body();
    }

    @Test
    void requestsAreAnsweredOrRefusedWithAReason() throws Exception {
        try (Server s = new Server(dir.resolve("h"), 0, ACCOUNTS, PHeapOptions.defaults().segmentSize(4 << 20).logSize(1 << 20))) {
            int p = s.port();
            assertEquals("7", send(p, "POST", "/transaction?account=3&teller=2&delta=7", 200));
            assertEquals("ok", send(p, "POST", "/transfer?from=3&to=4&amount=5", 200));
            assertEquals("2", send(p, "GET", "/accounts/3", 200));
            assertEquals("5", send(p, "GET", "/accounts/4", 200));
            assertEquals("[7, 7, 7]", send(p, "GET", "/sums", 200));
            assertTrue(send(p, "GET", "/accounts/999", 404).contains("999"));
            assertTrue(send(p, "POST", "/transfer?from=3&to=3&amount=5", 400).contains("same"));
            assertTrue(send(p, "POST", "/transfer?from=3&to=x&amount=5", 400).contains("x"));
            assertTrue(send(p, "POST", "/transfer?from=3", 400).contains("missing"));
            assertTrue(s.heap().core().check().sound());
        }
    }

    @Test
    void whatWasAnsweredSurvivesAKill() throws Exception {
        AtomicLong[] answered = new AtomicLong[4];
        for (int round = 0; round < 2; round++) {
            Process p = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx128m", "-cp",
                    System.getProperty("java.class.path"), Server.class.getName(), dir.resolve("bank").toString(), "0", String.valueOf(ACCOUNTS))
                    .redirectError(ProcessBuilder.Redirect.INHERIT).start();
            BufferedReader out = new BufferedReader(new InputStreamReader(p.getInputStream()));
            int port = Integer.parseInt(out.readLine().substring(5));
            for (int t = 0; round > 0 && t < 4; t++) {
                long there = Long.parseLong(send(port, "GET", "/accounts/" + t, 200));
                assertTrue(there == answered[t].get() || there == answered[t].get() + 1, t + " was told " + answered[t] + " and has " + there);
            }
            if (round > 0) {
                String[] sums = send(port, "GET", "/sums", 200).replaceAll("[\\[\\] ]", "").split(",");
                assertEquals(sums[0], sums[1]);
                assertEquals(sums[0], sums[2]);
                p.destroy();
                assertTrue(p.waitFor(20, TimeUnit.SECONDS));
                return;
            }
            load(port, p, answered);
        }
    }

    private void load(int port, Process p, AtomicLong[] answered) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            int me = t;
            answered[t] = new AtomicLong();
            Thread x = new Thread(() -> {
                Random r = new Random(me);
                try {
                    for (;;) {
                        answered[me].set(Long.parseLong(send(port, "POST", "/transaction?account=" + me + "&teller=" + r.nextInt(10) + "&delta=1", 200)));
                        send(port, "POST", "/transfer?from=" + (10 + r.nextInt(50)) + "&to=" + (100 + r.nextInt(50)) + "&amount=3", 200);
                    }
                } catch (IOException | InterruptedException e) {
                    // the server was killed, which is what ends this
                    return;
                }
            });
            x.start();
            threads.add(x);
        }
        while (answered[0].get() < 30) {
            Thread.sleep(5);
        }
        p.destroyForcibly().waitFor();
        for (Thread x : threads) {
            x.join();
        }
    }
}
