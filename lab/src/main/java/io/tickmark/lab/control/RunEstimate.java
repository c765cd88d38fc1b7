package io.tickmark.lab.control;

import java.nio.file.Path;
import java.util.Optional;

/**
 * What a run will take.
 *
 * @param trials how many
 * @param durationNs of all, noise floors and starts of processes included
 * @param folder where results go; empty where none could be made
 */
public record RunEstimate(int trials, long durationNs, Optional<Path> folder) {}
