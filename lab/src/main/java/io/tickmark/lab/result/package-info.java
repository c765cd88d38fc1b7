/** The result folder and the codec of {@code result.json}; no judging here. */
package io.tickmark.lab.result;
