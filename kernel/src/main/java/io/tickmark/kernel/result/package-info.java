/** Results as values: what a role, a trial and a run found out; no file formats. */
package io.tickmark.kernel.result;
