"""Searches with MLRsearch, the reference implementation of RFC 9971, over trials whose outcome is drawn.

The first argument is a file with a line for each search: what the capacity is multiplied with in its first trial, its
second trial, and so on. Behind it: the capacity, the lowest and the highest rate, and the lengths in seconds of initial
trials, of final trials and of their sum. Prints medians over the searches: seconds in trials, and trials.
"""

import statistics
import sys

from MLRsearch import AbstractMeasurer, Config, MeasurementResult, MultipleLossRatioSearch, SearchGoal


class Drawn(AbstractMeasurer):
    """Of the messages of a trial, as many get through as the capacity of that moment allows."""

    def __init__(self, capacity, factors):
        self.capacity = capacity
        self.factors = factors
        self.seconds = []

    def measure(self, intended_duration, intended_load):
        factor = self.factors[len(self.seconds)]
        self.seconds.append(intended_duration)
        offered = int(intended_duration * intended_load)
        lost = max(0, offered - int(intended_duration * self.capacity * factor))
        return MeasurementResult(
            intended_duration=intended_duration,
            intended_load=intended_load,
            offered_count=offered,
            loss_count=lost,
        )


def main(path, capacity, lowest, highest, initial, final, total):
    goal = SearchGoal(
        relative_width=0.01,
        initial_trial_duration=initial,
        final_trial_duration=final,
        duration_sum=total,
    )
    seconds, trials, found = [], [], []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            measurer = Drawn(capacity, [float(factor) for factor in line.split()])
            config = Config()
            config.goals = (goal,)
            config.min_load = lowest
            config.max_load = highest
            config.search_duration_max = 1e6
            config.warmup_duration = None
            result = MultipleLossRatioSearch(config).search(measurer, debug=lambda _: None)
            seconds.append(sum(measurer.seconds))
            trials.append(len(measurer.seconds))
            found.append(float(result[goal].relevant_lower_bound) / capacity)
    print(
        f"tool=mlrsearch seconds={statistics.median(seconds)} trials={statistics.median(trials)}"
        f" found={statistics.median(found)}"
    )


main(sys.argv[1], *(float(word) for word in sys.argv[2:]))
