import static org.mockito.ArgumentMatchers.*;
import static org.mockito.Mockito.*;

import java.util.ArrayList;
import java.util.List;
import org.mockito.MockedConstruction;
import org.mockito.MockedStatic;

public class InlineMocks {
    static final class Final {
        final String greet(String who) {
            return "hello " + who;
        }
        private int secret = 42;
        int secret() {
            return secret;
        }
    }
    enum Colour { RED, GREEN; String shout() { return name() + "!"; } }
    static class Tool {
        static int twice(int x) {
            return 2 * x;
        }
        final int id;
        Tool(int id) {
            this.id = id;
        }
        int id() {
            return id;
        }
    }

    public static void main(String[] args) {
        Final f = mock(Final.class);
        System.out.println(f.greet("a") + " " + f.secret());
        when(f.greet(anyString())).thenReturn("mocked");
        System.out.println(f.greet("b") + " " + new Final().greet("c"));
        verify(f, times(2)).greet(anyString());
        Final spy = spy(new Final());
        doReturn(7).when(spy).secret();
        System.out.println(spy.greet("d") + " " + spy.secret());
        Colour red = mock(Colour.class);
        when(red.shout()).thenReturn("silence");
        System.out.println(red.shout() + " " + Colour.GREEN.shout());
        try (MockedStatic<Tool> s = mockStatic(Tool.class)) {
            s.when(() -> Tool.twice(3)).thenReturn(100);
            System.out.println(Tool.twice(3) + " " + Tool.twice(4));
            s.verify(() -> Tool.twice(3));
        }
        System.out.println(Tool.twice(3));
        try (MockedConstruction<Tool> c = mockConstruction(Tool.class, (m, x) -> when(m.id()).thenReturn(-1))) {
            System.out.println(new Tool(5).id() + " " + c.constructed().size());
        }
        System.out.println(new Tool(5).id());
        List<String> list = mock(ArrayList.class);
        when(list.get(0)).thenReturn("first");
        System.out.println(list.get(0) + " " + list.size() + " " + new ArrayList<>(List.of("x")).get(0));
        StringBuilder b = mock(StringBuilder.class);
        System.out.println(b.length());
        try {
            verify(f).greet("never");
        } catch (AssertionError e) {
            System.out.println(e.getClass().getSimpleName());
        }
    }
}
