import java.sql.*;
import java.util.concurrent.*;

public class Script {
    static final String URL = System.getProperty("url", "jdbc:h2:mem:t;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000");

    static Connection open() throws SQLException {
        return DriverManager.getConnection(URL, "sa", "");
    }

    public static void main(String[] args) throws Exception {
        try (Connection c = open(); Statement s = c.createStatement()) {
            s.execute("create table account(id int primary key, balance int not null)");
            s.execute("create table log(id int primary key, source int, target int, amount int)");
            for (int i = 0; i < 20; i++) s.execute("insert into account values(" + i + ", 1000)");
            s.execute("create index log_source on log(source)");
        }
        ExecutorService pool = Executors.newFixedThreadPool(4);
        Future<?>[] all = new Future<?>[4];
        for (int t = 0; t < 4; t++) {
            int seed = t;
            all[t] = pool.submit(() -> { work(seed); return null; });
        }
        for (Future<?> f : all) f.get();
        pool.shutdown();
        try (Connection c = open(); Statement s = c.createStatement()) {
            show(s, "select sum(balance), count(*) from account");
            show(s, "select count(*), sum(amount), min(id), max(id) from log");
            show(s, "select source, count(*), sum(amount) from log group by source order by source");
            show(s, "select a.id, a.balance, (select count(*) from log l where l.target = a.id) from account a where a.id < 5 order by a.balance desc, a.id");
            try {
                s.execute("insert into account values(1, 1)");
            } catch (SQLException e) {
                System.out.println(e.getSQLState() + " " + e.getErrorCode());
            }
        }
    }

    static void work(int seed) throws SQLException {
        try (Connection c = open();
             PreparedStatement move = c.prepareStatement("update account set balance = balance + ? where id = ?");
             PreparedStatement log = c.prepareStatement("insert into log values(?, ?, ?, ?)")) {
            c.setAutoCommit(false);
            for (int i = 0; i < 100; i++) {
                int a = (seed * 7 + i * 3) % 20, b = (a + 1 + i % 5) % 20, amount = i % 17;
                int low = Math.min(a, b), high = Math.max(a, b);
                for (int id : new int[] {low, high}) {
                    move.setInt(1, id == a ? -amount : amount);
                    move.setInt(2, id);
                    move.executeUpdate();
                }
                log.setInt(1, seed * 1000 + i);
                log.setInt(2, a);
                log.setInt(3, b);
                log.setInt(4, amount);
                log.executeUpdate();
                c.commit();
            }
        }
    }

    static void show(Statement s, String sql) throws SQLException {
        try (ResultSet r = s.executeQuery(sql)) {
            int n = r.getMetaData().getColumnCount();
            while (r.next()) {
                StringBuilder line = new StringBuilder();
                for (int i = 1; i <= n; i++) line.append(i > 1 ? " | " : "").append(r.getString(i));
                System.out.println(line);
            }
        }
    }
}
