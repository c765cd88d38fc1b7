/** Shows a result: tables for the console, CSV, and one HTML file; measures and judges nothing. */
package io.tickmark.report;
