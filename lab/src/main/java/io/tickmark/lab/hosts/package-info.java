/** Roles on other machines: reached by ssh, served by an agent, their clocks held against ours. */
package io.tickmark.lab.hosts;
