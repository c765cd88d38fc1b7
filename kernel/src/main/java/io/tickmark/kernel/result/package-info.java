/** Results as values: the results of a role, a trial and a run; no file formats. */
package io.tickmark.kernel.result;
