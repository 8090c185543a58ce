import io.netty.bootstrap.*;
import io.netty.buffer.*;
import io.netty.channel.*;
import io.netty.channel.epoll.*;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.*;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.codec.LengthFieldPrepender;
import io.netty.handler.codec.string.*;
import java.net.InetSocketAddress;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

public class Echo {
    static final int CLIENTS = 4, MESSAGES = 250;

    public static void main(String[] args) throws Exception {
        run("nio", new NioEventLoopGroup(2), NioServerSocketChannel.class, NioSocketChannel.class);
        if (Epoll.isAvailable()) run("epoll", new EpollEventLoopGroup(2), EpollServerSocketChannel.class, EpollSocketChannel.class);
        else System.out.println("epoll: " + Epoll.unavailabilityCause());
    }

    static void run(String name, EventLoopGroup group, Class<? extends ServerChannel> server, Class<? extends Channel> client)
            throws Exception {
        AtomicLong sum = new AtomicLong();
        CountDownLatch done = new CountDownLatch(CLIENTS);
        Channel listener = new ServerBootstrap().group(group).channel(server).childHandler(stack(new SimpleChannelInboundHandler<String>() {
            @Override protected void channelRead0(ChannelHandlerContext c, String s) { c.writeAndFlush(s); }
            @Override public boolean isSharable() { return true; }
        })).bind(new InetSocketAddress("127.0.0.1", 0)).sync().channel();
        for (int k = 0; k < CLIENTS; k++) {
            int id = k;
            new Bootstrap().group(group).channel(client).handler(stack(new SimpleChannelInboundHandler<String>() {
                int next;
                @Override public void channelActive(ChannelHandlerContext c) { c.writeAndFlush(text(id, 0)); }
                @Override protected void channelRead0(ChannelHandlerContext c, String s) {
                    if (!s.equals(text(id, next))) throw new IllegalStateException(s);
                    sum.addAndGet(s.hashCode());
                    if (++next < MESSAGES) c.writeAndFlush(text(id, next));
                    else { done.countDown(); c.close(); }
                }
                @Override public void exceptionCaught(ChannelHandlerContext c, Throwable t) { t.printStackTrace(); c.close(); }
            })).connect(listener.localAddress()).sync();
        }
        System.out.println(name + " " + done.await(60, TimeUnit.SECONDS) + " " + sum);
        listener.close().sync();
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS).sync();
    }

    static String text(int id, int n) {
        return "client " + id + " message " + n + " " + "x".repeat(n % 100);
    }

    static ChannelInitializer<SocketChannel> stack(ChannelHandler last) {
        return new ChannelInitializer<>() {
            @Override protected void initChannel(SocketChannel ch) {
                ch.pipeline().addLast(new LengthFieldBasedFrameDecoder(65536, 0, 4, 0, 4), new LengthFieldPrepender(4),
                        new StringDecoder(), new StringEncoder(), last);
            }
        };
    }
}
