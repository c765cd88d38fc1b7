package io.tickmark.lab.verdict;

import io.tickmark.kernel.result.Verdict;
import java.util.List;

/**
 * A verdict and why.
 *
 * @param verdict of a row
 * @param reasons sentences, empty for a pass
 */
record Judgement(Verdict verdict, List<String> reasons) {}
