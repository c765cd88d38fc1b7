/** How a run stands while it runs, as others see it and as it is kept second by second. */
package io.tickmark.lab.live;
