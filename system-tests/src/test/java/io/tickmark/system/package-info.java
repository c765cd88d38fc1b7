/**
 * The project as its users and its rules see it: the front door as a process, and which modules may
 * use which.
 */
package io.tickmark.system;
