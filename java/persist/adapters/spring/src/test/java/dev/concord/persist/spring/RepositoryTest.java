package dev.concord.persist.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.concord.persist.PHeap;
import dev.concord.persist.PHeapOptions;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.data.annotation.Id;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.Sort;
import org.springframework.data.keyvalue.annotation.KeySpace;
import org.springframework.data.keyvalue.core.KeyValueTemplate;
import org.springframework.data.keyvalue.repository.KeyValueRepository;
import org.springframework.data.keyvalue.repository.support.KeyValueRepositoryFactory;

/** Spring Data's template and a repository over a heap, across a reopening. */
class RepositoryTest {
    @TempDir
    Path dir;

    /** An ordinary class. */
    @KeySpace("people")
    static class Person implements Serializable {
        private static final long serialVersionUID = 1;
        @Id
        String id;
        String name;
        int age;

        Person(String id, String name, int age) {
            this.id = id;
            this.name = name;
            this.age = age;
        }

        public String getName() {
            return name;
        }

        public int getAge() {
            return age;
        }
    }

    /** A record, stored as a value. */
    @KeySpace("points")
    record Point(@Id Long id, int x, int y) {
    }

    interface People extends KeyValueRepository<Person, String> {
        List<Person> findByName(String name);

        List<Person> findByAgeGreaterThan(int age);
    }

    private PHeap open() {
        return PHeap.open(dir.resolve("h"), PHeapOptions.defaults().segmentSize(1 << 20).logSize(256 << 10));
    }

    private static People people(PHeap heap) {
        return new KeyValueRepositoryFactory(new KeyValueTemplate(new PersistKeyValueAdapter(heap))).getRepository(People.class);
    }

    @Test
    void aRepositoryFindsAfterReopeningWhatWasSavedBefore() {
        try (PHeap h = open()) {
            People p = people(h);
            p.saveAll(List.of(new Person("1", "Ada", 36), new Person("2", "Bob", 20), new Person("3", "Ada", 70)));
            p.deleteById("2");
            KeyValueTemplate t = new KeyValueTemplate(new PersistKeyValueAdapter(h));
            t.insert(new Point(5L, 1, 2));
        }
        try (PHeap h = open()) {
            People p = people(h);
            assertEquals(2, p.count());
            assertEquals("Ada", p.findById("1").orElseThrow().name);
            assertFalse(p.existsById("2"));
            assertEquals(2, p.findByName("Ada").size());
            assertEquals("3", p.findByAgeGreaterThan(40).get(0).id);
            assertEquals(List.of(70, 36), StreamSupport.stream(p.findAll(Sort.by("age").descending()).spliterator(), false).map(Person::getAge).toList());
            assertEquals(1, p.findAll(PageRequest.of(1, 1, Sort.by("age"))).getContent().size());
            KeyValueTemplate t = new KeyValueTemplate(new PersistKeyValueAdapter(h));
            assertEquals(new Point(5L, 1, 2), t.findById(5L, Point.class).orElseThrow());
            t.update(new Point(5L, 3, 4));
            assertEquals(3, t.findById(5L, Point.class).orElseThrow().x());
            p.deleteAll();
            assertEquals(0, p.count());
            assertEquals(1, t.count(Point.class));
            assertTrue(h.core().check().sound());
            assertTrue(h.core().check().unreachable().isEmpty());
        }
    }

    @Test
    void severalOperationsInABlockAreOne() {
        try (PHeap h = open()) {
            People p = people(h);
            p.save(new Person("1", "Ada", 36));
            assertThrows(IllegalStateException.class, () -> h.atomic(() -> {
                p.save(new Person("1", "Eve", 1));
                p.save(new Person("2", "Bob", 20));
                throw new IllegalStateException();
            }));
            assertEquals(1, p.count());
            assertEquals("Ada", p.findById("1").orElseThrow().name);
        }
    }
}
