package io.tickmark.system;

import com.sun.source.tree.BlockTree;
import com.sun.source.tree.CatchTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ThrowTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The catch blocks of all modules' main code that neither throw anything nor look at what they
 * caught, so that whatever it was ends there. A block that restores an interrupt is none of them:
 * the caller sees that.
 */
final class SilentCatches {
    private static final Pattern MAIN = Pattern.compile(".*/src/main/java/.*\\.java");

    private SilentCatches() {}

    /**
     * Finds them.
     *
     * @param root of the repository
     * @return "file | class and method | caught" of each; several alike have #2 and so on behind
     *     the method
     */
    static SortedSet<String> in(final Path root) throws IOException {
        final List<Path> sources;
        try (Stream<Path> files = Files.find(root, 30, (path, about) -> about.isRegularFile())) {
            sources =
                    files.filter(path -> MAIN.matcher(path.toString()).matches()).sorted().toList();
        }
        return in(root, sources);
    }

    static SortedSet<String> in(final Path root, final List<Path> sources) throws IOException {
        final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        final SortedSet<String> found = new TreeSet<>();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            final JavacTask task =
                    (JavacTask)
                            compiler.getTask(
                                    null,
                                    files,
                                    null,
                                    List.of("-proc:none"),
                                    null,
                                    files.getJavaFileObjectsFromPaths(sources));
            for (final CompilationUnitTree unit : task.parse()) {
                final String file =
                        root.relativize(Path.of(unit.getSourceFile().toUri())).toString();
                new Finder(file, found).scan(unit, null);
            }
        }
        return found;
    }

    /** Of one file. */
    private static final class Finder extends TreePathScanner<Void, Void> {
        private final String file;
        private final SortedSet<String> found;
        private final Deque<String> within = new ArrayDeque<>();

        Finder(final String file, final SortedSet<String> found) {
            this.file = file;
            this.found = found;
        }

        @Override
        public Void visitClass(final ClassTree type, final Void none) {
            within.addLast(type.getSimpleName().toString());
            super.visitClass(type, none);
            within.removeLast();
            return null;
        }

        @Override
        public Void visitMethod(final MethodTree method, final Void none) {
            within.addLast(method.getName().toString());
            super.visitMethod(method, none);
            within.removeLast();
            return null;
        }

        @Override
        public Void visitCatch(final CatchTree caught, final Void none) {
            if (new Use(caught.getParameter()).isSilent(caught.getBlock())) {
                final String place =
                        within.stream()
                                .skip(1)
                                .filter(name -> !name.isEmpty())
                                .collect(Collectors.joining("."));
                final String type = caught.getParameter().getType().toString().replace(" ", "");
                String key = "%s | %s | %s".formatted(file, place, type);
                for (int number = 2; found.contains(key); number++) {
                    key = "%s | %s #%d | %s".formatted(file, place, number, type);
                }
                found.add(key);
            }
            return super.visitCatch(caught, none);
        }
    }

    /** What a block does with what it caught. */
    private static final class Use extends TreeScanner<Void, Void> {
        private final VariableTree caught;
        private boolean isPassedOn;

        Use(final VariableTree caught) {
            this.caught = caught;
        }

        boolean isSilent(final BlockTree block) {
            scan(block, null);
            return !isPassedOn;
        }

        @Override
        public Void visitThrow(final ThrowTree thrown, final Void none) {
            isPassedOn = true;
            return null;
        }

        @Override
        public Void visitIdentifier(final IdentifierTree name, final Void none) {
            isPassedOn |= name.getName().equals(caught.getName());
            return null;
        }

        @Override
        public Void visitMethodInvocation(final MethodInvocationTree call, final Void none) {
            final Tree method = call.getMethodSelect();
            isPassedOn |= method.toString().equals("Thread.currentThread().interrupt");
            return super.visitMethodInvocation(call, none);
        }
    }
}
