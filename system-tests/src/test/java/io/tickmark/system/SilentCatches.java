package io.tickmark.system;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.BindingPatternTree;
import com.sun.source.tree.BlockTree;
import com.sun.source.tree.BreakTree;
import com.sun.source.tree.CaseTree;
import com.sun.source.tree.CatchTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ConditionalExpressionTree;
import com.sun.source.tree.ContinueTree;
import com.sun.source.tree.DefaultCaseLabelTree;
import com.sun.source.tree.DoWhileLoopTree;
import com.sun.source.tree.EnhancedForLoopTree;
import com.sun.source.tree.ExpressionStatementTree;
import com.sun.source.tree.ForLoopTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.IfTree;
import com.sun.source.tree.InstanceOfTree;
import com.sun.source.tree.LabeledStatementTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ReturnTree;
import com.sun.source.tree.StatementTree;
import com.sun.source.tree.SwitchTree;
import com.sun.source.tree.SynchronizedTree;
import com.sun.source.tree.ThrowTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.TryTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.tree.WhileLoopTree;
import com.sun.source.tree.YieldTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.element.Name;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The catch blocks of all modules' main code with a path on which nothing is thrown and what was
 * caught serves a decision at most, so that whatever it was ends there. A path that restores an
 * interrupt is none of them: the caller sees that.
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
            if (!new Paths(caught.getParameter()).areAllPassedOn(caught.getBlock())) {
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

    /**
     * What the paths through a block do with what it caught. A path passes it on where it throws
     * something, restores an interrupt, or uses what was caught for more than a decision. A loop's
     * body may be left out, so what is done only there counts for the returns in it alone.
     */
    private static final class Paths {
        private final Set<Name> names = new HashSet<>();
        private boolean endsSilently;
        private int loops;

        /** Of the paths that have left the innermost loop or switch by a break. */
        private State broken = State.LEFT;

        Paths(final VariableTree caught) {
            names.add(caught.getName());
        }

        boolean areAllPassedOn(final BlockTree block) {
            final State end = after(block, State.SILENT);
            return !endsSilently && end != State.SILENT;
        }

        /** Of a path, behind a statement. */
        private enum State {
            SILENT,
            PASSED_ON,
            /** The path does not come there. */
            LEFT;

            /** Where two paths meet. */
            State and(final State other) {
                return this == LEFT || other == SILENT && this == PASSED_ON ? other : this;
            }

            State when(final boolean isUsed) {
                return this == SILENT && isUsed ? PASSED_ON : this;
            }
        }

        private State after(final List<? extends StatementTree> statements, final State before) {
            State state = before;
            for (final StatementTree each : statements) {
                state = state == State.LEFT ? state : after(each, state);
            }
            return state;
        }

        private State after(final StatementTree statement, final State before) {
            return switch (statement) {
                case null -> before;
                case final BlockTree block -> after(block.getStatements(), before);
                case final ThrowTree _ -> State.LEFT;
                case final ReturnTree end -> {
                    leave(before.when(isUsed(end.getExpression())));
                    yield State.LEFT;
                }
                case final BreakTree _ -> leaveLoop(before);
                case final ContinueTree _ -> leaveLoop(before);
                case final YieldTree end -> before.when(isUsed(end.getValue()));
                case final VariableTree variable -> {
                    // what is made of it stands for it
                    if (isUsed(variable.getInitializer()) || decides(variable.getInitializer())) {
                        names.add(variable.getName());
                    }
                    yield before;
                }
                case final ExpressionStatementTree expression ->
                        before.when(isUsed(expression.getExpression()));
                case final IfTree branch -> {
                    bind(branch.getCondition());
                    yield after(branch.getThenStatement(), before)
                            .and(after(branch.getElseStatement(), before));
                }
                case final SwitchTree choice -> ofCases(choice, before);
                case final SynchronizedTree guarded -> after(guarded.getBlock(), before);
                case final LabeledStatementTree labeled -> after(labeled.getStatement(), before);
                case final TryTree inner -> {
                    State state = after(inner.getBlock(), before);
                    for (final CatchTree each : inner.getCatches()) {
                        state = state.and(after(each.getBlock(), before));
                    }
                    yield after(inner.getFinallyBlock(), state);
                }
                case final DoWhileLoopTree loop -> inLoop(loop.getStatement(), before);
                case final WhileLoopTree loop -> {
                    inLoop(loop.getStatement(), before);
                    yield before;
                }
                case final ForLoopTree loop -> {
                    inLoop(loop.getStatement(), before);
                    yield before;
                }
                case final EnhancedForLoopTree loop -> {
                    final State state = before.when(isUsed(loop.getExpression()));
                    inLoop(loop.getStatement(), state);
                    yield state;
                }
                default -> before;
            };
        }

        private State ofCases(final SwitchTree choice, final State before) {
            boolean hasDefault = false;
            final State outer = broken;
            broken = State.LEFT;
            loops++; // its breaks stay in the block
            State fallen = State.LEFT;
            State ended = State.LEFT;
            for (final CaseTree each : choice.getCases()) {
                hasDefault |=
                        each.getLabels().stream().anyMatch(DefaultCaseLabelTree.class::isInstance);
                if (each.getBody() == null) {
                    fallen = after(each.getStatements(), before.and(fallen));
                } else if (each.getBody() instanceof final StatementTree body) {
                    ended = ended.and(after(body, before));
                } else {
                    ended = ended.and(before.when(isUsed(each.getBody())));
                }
            }
            loops--;
            final State all = ended.and(fallen).and(broken);
            broken = outer;
            return hasDefault ? all : all.and(before); // none of them may fit
        }

        private State inLoop(final StatementTree body, final State before) {
            final State outer = broken;
            broken = State.LEFT;
            loops++;
            final State state = after(body, before).and(broken);
            loops--;
            broken = outer;
            return state;
        }

        private void leave(final State state) {
            endsSilently |= state == State.SILENT;
        }

        private State leaveLoop(final State state) {
            if (loops == 0) {
                leave(state);
            } else {
                broken = broken.and(state);
            }
            return State.LEFT;
        }

        /** What a pattern in a condition binds stands for what was caught. */
        private void bind(final Tree condition) {
            new TreeScanner<Void, Void>() {
                @Override
                public Void visitInstanceOf(final InstanceOfTree test, final Void none) {
                    if (test.getPattern() instanceof final BindingPatternTree pattern
                            && (isUsed(test.getExpression()))) {
                        names.add(pattern.getVariable().getName());
                    }
                    return super.visitInstanceOf(test, none);
                }
            }.scan(condition, null);
        }

        private boolean decides(final Tree expression) {
            final boolean[] is = {false};
            new TreeScanner<Void, Void>() {
                @Override
                public Void visitIdentifier(final IdentifierTree name, final Void none) {
                    is[0] |= names.contains(name.getName());
                    return null;
                }
            }.scan(expression, null);
            return is[0];
        }

        /** Whether an expression does more with it than to decide something. */
        private boolean isUsed(final Tree expression) {
            if (expression == null) {
                return false;
            }
            final boolean[] is = {false};
            new TreeScanner<Void, Void>() {
                @Override
                public Void visitIdentifier(final IdentifierTree name, final Void none) {
                    is[0] |= names.contains(name.getName());
                    return null;
                }

                @Override
                public Void visitConditionalExpression(
                        final ConditionalExpressionTree choice, final Void none) {
                    bind(choice.getCondition());
                    is[0] |=
                            isUsed(choice.getTrueExpression())
                                    && isUsed(choice.getFalseExpression());
                    return null;
                }

                @Override
                public Void visitInstanceOf(final InstanceOfTree test, final Void none) {
                    return null;
                }

                @Override
                public Void visitBinary(final BinaryTree operation, final Void none) {
                    return operation.getKind() == Tree.Kind.PLUS
                            ? super.visitBinary(operation, none)
                            : null;
                }

                @Override
                public Void visitThrow(final ThrowTree thrown, final Void none) {
                    is[0] = true;
                    return null;
                }

                @Override
                public Void visitMethodInvocation(
                        final MethodInvocationTree call, final Void none) {
                    is[0] |=
                            call.getMethodSelect()
                                    .toString()
                                    .equals("Thread.currentThread().interrupt");
                    return super.visitMethodInvocation(call, none);
                }
            }.scan(expression, null);
            return is[0];
        }
    }
}
