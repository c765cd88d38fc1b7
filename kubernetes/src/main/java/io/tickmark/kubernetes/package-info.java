/** Roles on Kubernetes: Indexed Jobs, and the agents in their pods. */
package io.tickmark.kubernetes;
