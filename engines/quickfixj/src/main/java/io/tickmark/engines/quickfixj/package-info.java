/** The fan-out gateway on QuickFIX/J, to be compared with. */
package io.tickmark.engines.quickfixj;
