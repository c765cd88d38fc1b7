/**
 * Running a composed plan here or on other machines, reporting, writing and interrupting it; the
 * measuring itself belongs to the lab.
 */
package io.tickmark.cli.run;
