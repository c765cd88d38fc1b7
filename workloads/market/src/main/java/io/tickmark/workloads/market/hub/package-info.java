/**
 * The hub: accepts providers, keeps last images, serves consumers. It represents the distribution
 * system between providers and consumers.
 */
package io.tickmark.workloads.market.hub;
