/** Stalls of hot threads as the threads themselves note them, and the messages they may delay. */
package io.tickmark.kernel.stall;
