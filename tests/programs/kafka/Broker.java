import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.utils.Exit;
import org.apache.kafka.common.utils.Time;

/** A broker that is its own controller, then producers and consumers against it. Arguments: folder, cluster id, records. */
public class Broker {
    static Properties settings(String folder, int client, int controller) {
        Properties p = new Properties();
        p.put("process.roles", "broker,controller");
        p.put("node.id", "1");
        p.put("controller.quorum.voters", "1@127.0.0.1:" + controller);
        p.put("listeners", "PLAINTEXT://127.0.0.1:" + client + ",CONTROLLER://127.0.0.1:" + controller);
        p.put("controller.listener.names", "CONTROLLER");
        p.put("inter.broker.listener.name", "PLAINTEXT");
        p.put("log.dirs", folder);
        p.put("offsets.topic.replication.factor", "1");
        p.put("offsets.topic.num.partitions", "2");
        p.put("transaction.state.log.replication.factor", "1");
        p.put("transaction.state.log.min.isr", "1");
        p.put("transaction.state.log.num.partitions", "2");
        p.put("group.initial.rebalance.delay.ms", "0");
        p.put("log.segment.bytes", "1048576");
        return p;
    }

    static Map<String, Object> clientSettings(String broker, Object... more) {
        Map<String, Object> m = new HashMap<>();
        m.put("bootstrap.servers", broker);
        for (int i = 0; i < more.length; i += 2) m.put((String) more[i], more[i + 1]);
        for (String s : new String[] {"key.serializer", "value.serializer"}) {
            m.put(s, "org.apache.kafka.common.serialization.StringSerializer");
        }
        for (String s : new String[] {"key.deserializer", "value.deserializer"}) {
            m.put(s, "org.apache.kafka.common.serialization.StringDeserializer");
        }
        return m;
    }

    /**
     * One request at a time: if a topic has no leader yet, a later one can come before the first's
     * repetition, and the broker then refuses its sequence number for good, on every VM.
     */
    static Map<String, Object> producerSettings(String broker, Object... more) {
        Map<String, Object> m = clientSettings(broker, more);
        m.put("max.in.flight.requests.per.connection", 1);
        return m;
    }

    static void produce(String broker, String topic, String compression, int records) throws Exception {
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(producerSettings(broker, "compression.type", compression, "linger.ms", 5))) {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            for (int i = 0; i < records; i++) {
                sent.add(producer.send(new ProducerRecord<>(topic, "k" + i % 37, "value " + i + " of " + compression)));
            }
            long perPartition = 0;
            for (Future<RecordMetadata> f : sent) perPartition += f.get(60, TimeUnit.SECONDS).partition();
            System.out.println(topic + " produced " + records + ", partitions add up to " + perPartition);
        }
    }

    static void consume(String broker, String topic, int records) {
        Map<String, Object> own = clientSettings(broker, "group.id", "g-" + topic, "auto.offset.reset", "earliest", "isolation.level", "read_committed");
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(own)) {
            consumer.subscribe(List.of(topic));
            long hashes = 0;
            int seen = 0;
            Map<String, Integer> perKey = new TreeMap<>();
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
            while (seen < records && System.nanoTime() < end) {
                for (ConsumerRecord<String, String> r : consumer.poll(Duration.ofMillis(200))) {
                    seen++;
                    hashes += r.value().hashCode();
                    perKey.merge(r.key(), 1, Integer::sum);
                }
            }
            consumer.commitSync();
            System.out.println(topic + " consumed " + seen + " " + hashes + " " + perKey.hashCode());
        }
    }

    static void transactions(String broker, String topic) {
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(producerSettings(broker, "transactional.id", "t"))) {
            producer.initTransactions();
            for (int t = 0; t < 6; t++) {
                producer.beginTransaction();
                for (int i = 0; i < 5; i++) producer.send(new ProducerRecord<>(topic, "t" + t, "in transaction " + t + " " + i));
                if (t % 2 == 0) producer.commitTransaction(); else producer.abortTransaction();
            }
        }
    }

    /**
     * The topics, as soon as they are these: the controller answers before the broker's own copy of
     * the metadata has followed, on every VM. After a minute they are printed as they are.
     */
    static void topics(Admin admin, Set<String> expected) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        Set<String> names = admin.listTopics().names().get(60, TimeUnit.SECONDS);
        while (!names.equals(expected) && System.nanoTime() < end) {
            Thread.sleep(20);
            names = admin.listTopics().names().get(60, TimeUnit.SECONDS);
        }
        System.out.println(new TreeSet<>(names));
    }

    public static void main(String[] args) throws Exception {
        int client, controller, records = Integer.parseInt(args[2]);
        try (ServerSocket a = new ServerSocket(0); ServerSocket b = new ServerSocket(0)) {
            client = a.getLocalPort();
            controller = b.getLocalPort();
        }
        Properties properties = settings(args[0], client, controller);
        Path file = Files.createTempFile("server", ".properties");
        try (var out = Files.newOutputStream(file)) {
            properties.store(out, null);
        }
        Exit.setExitProcedure((code, message) -> {
            throw new IllegalStateException("exit " + code);
        });
        try {
            StorageTool.main(new String[] {"format", "-t", args[1], "-c", file.toString()});
        } catch (IllegalStateException e) {
            System.out.println("storage tool: " + e.getMessage());
        }
        KafkaRaftServer server = new KafkaRaftServer(KafkaConfig.fromProps(properties), Time.SYSTEM);
        server.startup();
        String broker = "127.0.0.1:" + client;
        List<String> codecs = List.of("none", "gzip", "lz4", "snappy", "zstd");
        try (Admin admin = Admin.create(clientSettings(broker))) {
            List<NewTopic> topics = new ArrayList<>(List.of(new NewTopic("transactions", 1, (short) 1)));
            for (String codec : codecs) topics.add(new NewTopic("topic-" + codec, 3, (short) 1));
            admin.createTopics(topics).all().get(60, TimeUnit.SECONDS);
            Set<String> expected = topics.stream().map(NewTopic::name).collect(Collectors.toSet());
            topics(admin, expected);
            for (String codec : codecs) {
                produce(broker, "topic-" + codec, codec, records);
                consume(broker, "topic-" + codec, records);
            }
            transactions(broker, "transactions");
            consume(broker, "transactions", 15);
            var groups = admin.listConsumerGroups().all().get(60, TimeUnit.SECONDS).stream().map(g -> g.groupId()).sorted().toArray();
            System.out.println(Arrays.toString(groups));
            var offsets = admin.listConsumerGroupOffsets("g-topic-lz4").partitionsToOffsetAndMetadata().get(60, TimeUnit.SECONDS);
            System.out.println(offsets.values().stream().mapToLong(o -> o.offset()).sum());
            admin.deleteTopics(List.of("topic-none")).all().get(60, TimeUnit.SECONDS);
            expected.remove("topic-none");
            topics(admin, expected);
        }
        server.shutdown();
        server.awaitShutdown();
        System.out.println("stopped");
    }
}
