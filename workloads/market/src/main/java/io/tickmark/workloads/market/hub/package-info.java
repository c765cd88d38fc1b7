/**
 * The hub: takes providers in, keeps last images, serves consumers. It stands in for the
 * distribution system between providers and consumers.
 */
package io.tickmark.workloads.market.hub;
