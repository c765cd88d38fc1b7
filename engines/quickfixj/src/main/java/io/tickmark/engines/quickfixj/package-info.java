/** The fan-out gateway on QuickFIX/J, for comparison. */
package io.tickmark.engines.quickfixj;
