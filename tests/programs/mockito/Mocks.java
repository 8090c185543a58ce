import static org.mockito.ArgumentMatchers.*;
import static org.mockito.Mockito.*;

import java.util.*;
import java.util.function.*;
import org.mockito.*;
import org.mockito.exceptions.base.MockitoException;

public class Mocks {
    @SuppressWarnings("unchecked")
    public static void main(String[] args) {
        List<String> list = mock(List.class);
        when(list.get(0)).thenReturn("first").thenThrow(new IllegalStateException("second"));
        when(list.contains(startsWith("a"))).thenReturn(true);
        System.out.println(list.get(0) + " " + list.contains("abc") + " " + list.contains("b") + " " + list.size());
        try {
            list.get(0);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        Map<String, Integer> spy = spy(new HashMap<>());
        spy.put("x", 1);
        doReturn(9).when(spy).get("y");
        System.out.println(spy.get("x") + " " + spy.get("y") + " " + spy.size());
        verify(spy).put("x", 1);
        try {
            verify(spy, times(2)).put("x", 1);
        } catch (AssertionError e) {
            System.out.println(e.getMessage().lines().filter(l -> !l.contains("->") && !l.isBlank()).toList());
        }
        BiFunction<Integer, Integer, Integer> f = mock(BiFunction.class);
        ArgumentCaptor<Integer> left = ArgumentCaptor.forClass(Integer.class);
        when(f.apply(anyInt(), anyInt())).thenAnswer(i -> i.<Integer>getArgument(0) * i.<Integer>getArgument(1));
        System.out.println(f.apply(6, 7));
        verify(f).apply(left.capture(), eq(7));
        System.out.println(left.getAllValues());
        InOrder order = inOrder(list, f);
        order.verify(list, times(2)).get(0);
        order.verify(f).apply(6, 7);
        try {
            mock(String.class);
        } catch (MockitoException e) {
            System.out.println(e.getMessage().lines().limit(2).toList());
        }
    }
}
