/** Where hot threads could run on a machine, and which placement was best. */
package io.tickmark.lab.cores;
