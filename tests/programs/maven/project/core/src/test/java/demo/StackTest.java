package demo;

import static org.junit.jupiter.api.Assertions.*;

import java.util.NoSuchElementException;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StackTest {
    @Test void popsInReverse() {
        Stack<String> s = new Stack<>();
        s.push("a");
        s.push("b");
        assertAll(() -> assertEquals("b", s.pop()), () -> assertEquals(1, s.size()));
    }

    @Test void emptyThrows() { assertThrows(NoSuchElementException.class, new Stack<>()::pop); }

    @ParameterizedTest @ValueSource(ints = {1, 10, 100}) void counts(int n) {
        Stack<Integer> s = new Stack<>();
        for (int i = 0; i < n; i++) s.push(i);
        assertEquals(n, s.size());
    }

    @Test @Disabled("shows as skipped") void skipped() { fail(); }
}
