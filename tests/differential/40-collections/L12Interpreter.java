import java.util.*;
import java.util.function.*;

/**
 * A small language: tokenizer, recursive-descent parser, closures, a stack machine; both evaluators
 * must agree.
 */
public class L12Interpreter {
    sealed interface Ex permits Lit, Var, Bin, Let, Fun, App, If {}

    record Lit(long v) implements Ex {}

    record Var(String n) implements Ex {}

    record Bin(char op, Ex l, Ex r) implements Ex {}

    record Let(String n, Ex v, Ex b) implements Ex {}

    record Fun(String p, Ex b) implements Ex {}

    record App(Ex f, Ex a) implements Ex {}

    record If(Ex c, Ex t, Ex e) implements Ex {}

    static final class Env {
        final String n;
        Object v;
        final Env up;

        Env(String n, Object v, Env up) {
            this.n = n;
            this.v = v;
            this.up = up;
        }

        Object get(String k) {
            for (Env e = this; e != null; e = e.up) if (e.n.equals(k)) return e.v;
            throw new NoSuchElementException(k);
        }
    }

    record Clo(String p, Ex b, Env e) {}

    static final class P {
        final List<String> t = new ArrayList<>();
        int i;

        P(String s) {
            var m = java.util.regex.Pattern.compile("\\s*(\\d+|[a-z]+|[-+*/()=<\\\\.])").matcher(s);
            int e = 0;
            while (m.lookingAt()) {
                t.add(m.group(1));
                e = m.end();
                m.region(e, s.length());
            }
            if (!s.substring(e).isBlank())
                throw new IllegalArgumentException("token " + s.substring(e));
            t.add("");
        }

        String next() {
            return t.get(i++);
        }

        boolean eat(String s) {
            if (t.get(i).equals(s)) {
                i++;
                return true;
            }
            return false;
        }

        void need(String s) {
            if (!eat(s)) throw new IllegalArgumentException("want " + s + " got " + t.get(i));
        }

        Ex expr() {
            if (eat("let")) {
                String n = next();
                need("=");
                Ex v = expr();
                need("in");
                return new Let(n, v, expr());
            }
            if (eat("if")) {
                Ex c = expr();
                need("then");
                Ex a = expr();
                need("else");
                return new If(c, a, expr());
            }
            if (eat("\\")) {
                String p = next();
                need(".");
                return new Fun(p, expr());
            }
            Ex l = sum();
            return eat("<") ? new Bin('<', l, sum()) : l;
        }

        Ex sum() {
            Ex l = prod();
            while (true)
                if (eat("+")) l = new Bin('+', l, prod());
                else if (eat("-")) l = new Bin('-', l, prod());
                else return l;
        }

        Ex prod() {
            Ex l = app();
            while (true)
                if (eat("*")) l = new Bin('*', l, app());
                else if (eat("/")) l = new Bin('/', l, app());
                else return l;
        }

        Ex app() {
            Ex f = atom();
            while (t.get(i).matches("[0-9]+|[a-z]+|\\(") && !t.get(i).matches("in|then|else"))
                f = new App(f, atom());
            return f;
        }

        Ex atom() {
            if (eat("(")) {
                Ex e = expr();
                need(")");
                return e;
            }
            String s = next();
            if (s.matches("\\d+")) return new Lit(Long.parseLong(s));
            if (s.matches("[a-z]+")) return new Var(s);
            throw new IllegalArgumentException("atom " + s);
        }
    }

    static Object eval(Ex x, Env e) {
        if (x instanceof Lit l) return l.v();
        if (x instanceof Var v) return e.get(v.n());
        if (x instanceof Bin b) return op(b.op(), (Long) eval(b.l(), e), (Long) eval(b.r(), e));
        if (x instanceof Let l) {
            Env n = new Env(l.n(), null, e);
            n.v = eval(l.v(), n);
            return eval(l.b(), n);
        }
        if (x instanceof Fun f) return new Clo(f.p(), f.b(), e);
        if (x instanceof App a) {
            Clo c = (Clo) eval(a.f(), e);
            return eval(c.b(), new Env(c.p(), eval(a.a(), e), c.e()));
        }
        If i = (If) x;
        return eval((Long) eval(i.c(), e) != 0 ? i.t() : i.e(), e);
    }

    static long op(char o, long a, long b) {
        return switch (o) {
            case '+' -> a + b;
            case '-' -> a - b;
            case '*' -> a * b;
            case '/' -> a / b;
            default -> a < b ? 1 : 0;
        };
    }

    static Function<Env, Object> comp(Ex x) {
        if (x instanceof Lit l) {
            Long v = l.v();
            return e -> v;
        }
        if (x instanceof Var v) return e -> e.get(v.n());
        if (x instanceof Bin b) {
            var l = comp(b.l());
            var r = comp(b.r());
            LongBinaryOperator f =
                    switch (b.op()) {
                        case '+' -> Long::sum;
                        case '-' -> (p, q) -> p - q;
                        case '*' -> (p, q) -> p * q;
                        case '/' -> (p, q) -> p / q;
                        default -> (p, q) -> p < q ? 1 : 0;
                    };
            return e -> f.applyAsLong((Long) l.apply(e), (Long) r.apply(e));
        }
        if (x instanceof Let l) {
            var v = comp(l.v());
            var b = comp(l.b());
            return e -> {
                Env n = new Env(l.n(), null, e);
                n.v = v.apply(n);
                return b.apply(n);
            };
        }
        if (x instanceof Fun f) {
            var b = comp(f.b());
            return e -> (Function<Object, Object>) a -> b.apply(new Env(f.p(), a, e));
        }
        if (x instanceof App a) {
            var f = comp(a.f());
            var g = comp(a.a());
            return e -> ((Function<Object, Object>) f.apply(e)).apply(g.apply(e));
        }
        If i = (If) x;
        var c = comp(i.c());
        var t = comp(i.t());
        var z = comp(i.e());
        return e -> (Long) c.apply(e) != 0 ? t.apply(e) : z.apply(e);
    }

    public static void main(String[] args) {
        for (String s :
                new String[] {
                    "1+2*3-4/2",
                    "let x = 5 in x*x",
                    "let f = \\n. if n < 2 then n else f (n-1) + f (n-2) in f 15",
                    "let add = \\a.\\b. a+b in let inc = add 1 in inc (inc 40)",
                    "let fact = \\n. if n < 1 then 1 else n * fact (n - 1) in fact 20",
                    "let twice = \\f.\\x. f (f x) in twice (twice (\\y. y*3)) 2",
                    "1/0",
                    "y",
                    "1 +",
                    "(1",
                    "1 2",
                    "$"
                })
            try {
                Ex e = new P(s).expr();
                System.out.println(e);
                System.out.println(
                        eval(e, null == s ? null : new Env("", 0L, null))
                                + " "
                                + comp(e).apply(new Env("", 0L, null)));
            } catch (RuntimeException e) {
                System.out.println(
                        s
                                + " -> "
                                + e.getClass().getSimpleName()
                                + " "
                                + (e instanceof ClassCastException ? "" : e.getMessage()));
            }
    }
}
