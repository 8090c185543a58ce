package demo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class AppTest {
    @Test void evaluates() { assertEquals(14, App.evaluate("2 3 4 * +")); }
}
