package io.tickmark.bench.feed;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler.HandshakeComplete;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.IdleStrategies;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.workloads.feed.serve.ChannelList;
import io.tickmark.workloads.feed.serve.FeedHandler;
import io.tickmark.workloads.feed.serve.FeedServer;
import io.tickmark.workloads.feed.session.BinaryFrame;
import io.tickmark.workloads.feed.session.Ending;
import io.tickmark.workloads.feed.session.FeedFraming;
import io.tickmark.workloads.feed.session.Outlet;
import io.tickmark.workloads.feed.session.Session;
import io.tickmark.workloads.feed.session.SessionHub;
import io.tickmark.workloads.feed.session.SessionSettings;
import io.tickmark.workloads.feed.source.FeedClock;
import io.tickmark.workloads.feed.source.FeedSettings;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The same feed and the same sessions behind one server or another, until it is ended: {@code
 * FanOutServer undertow|netty PORT SYMBOLS RATE}.
 */
public final class FanOutServer {
    /** What it says when clients may come. */
    public static final String READY = "ready";

    /** What its clients say; the server on Netty asks for none. */
    public static final String TOKEN = "token-of-the-contest";

    private static final int MAX_CLIENTS = 20_000;

    private FanOutServer() {}

    /**
     * Serves.
     *
     * @param arguments server, port, symbols and messages per second
     * @throws InterruptedException if it is interrupted
     */
    public static void main(final String[] arguments) throws InterruptedException {
        final int port = Integer.parseInt(arguments[1]);
        final SessionHub hub =
                new SessionHub(
                        Settings.read(
                                FeedSettings.class,
                                Map.of("symbols", arguments[2], "rate", arguments[3]),
                                key -> key),
                        1,
                        FeedClock.from(SystemNanoClock.INSTANCE),
                        _ -> IdleStrategies.of(IdleMode.BLOCK, SystemNanoClock.INSTANCE));
        hub.open();
        if (arguments[0].equals("netty")) {
            NettyServer.start(hub, port);
        } else {
            startUndertow(hub, port);
        }
        hub.start(System.nanoTime());
        System.out.println(READY);
        new CountDownLatch(1).await();
    }

    private static void startUndertow(final SessionHub hub, final int port) {
        final FeedHandler handler = new FeedHandler(() -> hub, ChannelList.shipped(), MAX_CLIENTS);
        new FeedServer(
                "127.0.0.1",
                port,
                1,
                MAX_CLIENTS,
                handler.guarded(TOKEN, false, SystemNanoClock.INSTANCE));
    }

    /**
     * WebSocket sessions on Netty, with its own frames and event loops, as its users write them.
     */
    private static final class NettyServer {
        private static final int MAX_HTTP_BYTES = 65_536;
        private static final int BACKLOG = 1024;
        private static final int ACKNOWLEDGEMENT = 16;

        private NettyServer() {}

        static void start(final SessionHub hub, final int port) throws InterruptedException {
            final MultiThreadIoEventLoopGroup loops =
                    new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
            new ServerBootstrap()
                    .group(loops)
                    .channel(NioServerSocketChannel.class)
                    .option(ChannelOption.SO_BACKLOG, BACKLOG)
                    .childOption(ChannelOption.TCP_NODELAY, true)
                    .childHandler(
                            new ChannelInitializer<SocketChannel>() {
                                @Override
                                protected void initChannel(final SocketChannel channel) {
                                    channel.pipeline()
                                            .addLast(
                                                    new HttpServerCodec(),
                                                    new HttpObjectAggregator(MAX_HTTP_BYTES),
                                                    new WebSocketServerProtocolHandler(
                                                            "/feed/ws-binary", true),
                                                    new Sessions(hub));
                                }
                            })
                    .bind("127.0.0.1", port)
                    .sync();
        }

        /** Opens a session after the handshake, and hands over what the client says. */
        private static final class Sessions
                extends SimpleChannelInboundHandler<BinaryWebSocketFrame> {
            private final SessionHub hub;
            private Session session;

            Sessions(final SessionHub hub) {
                this.hub = hub;
            }

            @Override
            public void userEventTriggered(
                    final ChannelHandlerContext context, final Object event) {
                if (event instanceof final HandshakeComplete handshake) {
                    final Map<String, Object> wanted = new HashMap<>();
                    new QueryStringDecoder(handshake.requestUri())
                            .parameters()
                            .forEach((name, values) -> wanted.put(name, values.getFirst()));
                    session =
                            hub.open(
                                    Settings.read(SessionSettings.class, wanted, key -> key),
                                    new NettyOutlet(context.channel()),
                                    new BinaryFrame(
                                            FeedFraming.NONE, hub.settings().messageBytes()));
                }
            }

            @Override
            protected void channelRead0(
                    final ChannelHandlerContext context, final BinaryWebSocketFrame frame) {
                final ByteBuf content = frame.content();
                if (content.readableBytes() == ACKNOWLEDGEMENT) {
                    session.acknowledge(content.readLongLE(), content.readLongLE());
                } else {
                    session.finish();
                }
            }
        }

        /** Cuts what is written at once into the frames it consists of: Netty adds their heads. */
        private record NettyOutlet(Channel channel) implements Outlet {
            @Override
            public boolean isReady() {
                return channel.isWritable();
            }

            @Override
            public void write(final ByteBuffer bytes) {
                final UnsafeBuffer view = new UnsafeBuffer(bytes);
                while (bytes.hasRemaining()) {
                    final int length = BinaryFrame.lengthOf(view, bytes.position());
                    final ByteBuf copy = channel.alloc().directBuffer(length);
                    copy.writeBytes(bytes.duplicate().limit(bytes.position() + length));
                    bytes.position(bytes.position() + length);
                    channel.write(new BinaryWebSocketFrame(copy), channel.voidPromise());
                }
            }

            @Override
            public void flush() {
                channel.flush();
            }

            @Override
            public void close() {
                channel.close();
            }

            @Override
            public void close(final Ending ending) {
                channel.writeAndFlush(
                                new CloseWebSocketFrame(
                                        ending.kind().closeCode(), ending.kind().words()))
                        .addListener(ChannelFutureListener.CLOSE);
            }
        }
    }
}
