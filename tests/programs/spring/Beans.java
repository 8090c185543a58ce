import java.util.*;
import javax.sql.DataSource;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.*;
import org.springframework.beans.factory.annotation.*;
import org.springframework.context.annotation.*;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.*;
import org.springframework.jdbc.datasource.embedded.*;
import org.springframework.stereotype.*;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.*;

@Configuration
@EnableAspectJAutoProxy
@EnableTransactionManagement(proxyTargetClass = true)
public class Beans {
    @Bean public DataSource source() {
        return new EmbeddedDatabaseBuilder().setType(EmbeddedDatabaseType.H2).build();
    }

    @Bean public PlatformTransactionManager transactions(DataSource s) { return new DataSourceTransactionManager(s); }

    @Bean public JdbcTemplate jdbc(DataSource s) { return new JdbcTemplate(s); }

    @Bean public Accounts accounts(JdbcTemplate j) { return new Accounts(j); }

    @Bean public Timing timing() { return new Timing(); }

    @Bean public Greeter greeter(@Value("${who:world}") String who) { return () -> "hello " + who; }

    public interface Greeter { String greet(); }

    public static class Accounts {
        final JdbcTemplate jdbc;

        public Accounts(JdbcTemplate j) {
            jdbc = j;
            j.execute("create table a(id int primary key, n int)");
            j.update("insert into a values(1, 100)");
        }

        @Transactional public void take(int n, boolean fail) {
            jdbc.update("update a set n = n - ? where id = 1", n);
            if (fail) throw new IllegalArgumentException("rolled back");
        }

        public Integer left() { return jdbc.queryForObject("select n from a where id = 1", Integer.class); }
    }

    @Aspect public static class Timing {
        @Around("execution(* Beans.Greeter.*(..)) || execution(* Beans.Accounts.take(..))")
        public Object around(ProceedingJoinPoint p) throws Throwable {
            System.out.println("before " + p.getSignature().getName() + Arrays.toString(p.getArgs()));
            try {
                return p.proceed();
            } finally {
                System.out.println("after");
            }
        }
    }

    @EventListener public void closed(ContextClosedEvent e) { System.out.println("closed"); }

    public static void main(String[] args) {
        try (AnnotationConfigApplicationContext c = new AnnotationConfigApplicationContext(Beans.class)) {
            System.out.println(c.getBean(Greeter.class).greet());
            Accounts a = c.getBean(Accounts.class);
            System.out.println(a.getClass() != Accounts.class);
            a.take(30, false);
            try {
                a.take(50, true);
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage());
            }
            System.out.println(a.left());
            System.out.println(new SpelExpressionParser().parseExpression("{1,2,3}.![#this * 2].?[#this > 2]").getValue());
            System.out.println(String.join(" ", new TreeSet<>(List.of(c.getBeanDefinitionNames())).tailSet("p")));
        }
    }
}
