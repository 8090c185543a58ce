package dev.concord.persist.bank;

import dev.concord.persist.PHeap;
import dev.concord.persist.PHeapOptions;
import io.undertow.Undertow;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.RoutingHandler;
import io.undertow.server.handlers.BlockingHandler;
import io.undertow.util.Headers;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Deque;
import java.util.NoSuchElementException;

/**
 * The bank behind HTTP: {@code GET /accounts/{n}}, {@code GET /sums}, {@code POST /transfer?from=&to=&amount=},
 * {@code POST /transaction?account=&teller=&delta=}. An answer to a POST means that it is durable.
 *
 * <p>{@code java ... Server HEAP PORT ACCOUNTS}; port 0 takes any and prints it.
 */
public final class Server implements AutoCloseable {
    private final PHeap heap;
    private final Bank bank;
    private final Undertow undertow;

    Server(Path file, int port, int accounts, PHeapOptions options) {
        heap = PHeap.open(file, options);
        bank = new Bank(heap, accounts);
        RoutingHandler routes = new RoutingHandler()
                .get("/accounts/{n}", answering(x -> bank.balance((int) number(x, "n"))))
                .get("/sums", answering(x -> java.util.Arrays.toString(bank.sums())))
                .post("/transfer", answering(x -> {
                    bank.transfer((int) number(x, "from"), (int) number(x, "to"), number(x, "amount"));
                    return "ok";
                }))
                .post("/transaction", answering(x -> bank.transaction((int) number(x, "account"), (int) number(x, "teller"), number(x, "delta"))));
        undertow = Undertow.builder().addHttpListener(port, "localhost").setHandler(new BlockingHandler(routes)).build();
        undertow.start();
    }

    private interface Answer {
        Object to(HttpServerExchange x);
    }

    private static HttpHandler answering(Answer a) {
        return x -> {
            x.getResponseHeaders().put(Headers.CONTENT_TYPE, "text/plain");
            try {
                x.getResponseSender().send(String.valueOf(a.to(x)));
            } catch (IllegalArgumentException e) {
                x.setStatusCode(400).getResponseSender().send(e.getMessage());
            } catch (NoSuchElementException e) {
                x.setStatusCode(404).getResponseSender().send(e.getMessage());
            }
        };
    }

    private static long number(HttpServerExchange x, String name) {
        Deque<String> v = x.getQueryParameters().get(name);
        if (v == null) {
            throw new IllegalArgumentException("the parameter " + name + " is missing");
        }
        try {
            return Long.parseLong(v.getFirst());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " is not a number: " + v.getFirst());
        }
    }

    int port() {
        return ((InetSocketAddress) undertow.getListenerInfo().get(0).getAddress()).getPort();
    }

    PHeap heap() {
        return heap;
    }

    @Override
    public void close() {
        undertow.stop();
        heap.close();
    }

    public static void main(String[] args) {
        if (args.length != 3) {
            System.err.println("usage: Server HEAP PORT ACCOUNTS");
            System.exit(2);
        }
        Server s = new Server(Path.of(args[0]), Integer.parseInt(args[1]), Integer.parseInt(args[2]), PHeapOptions.defaults());
        Runtime.getRuntime().addShutdownHook(new Thread(s::close));
        System.out.println("port " + s.port());
    }
}
