/** Where a tail comes from: stalls of watched threads charged to the messages they delayed. */
package io.tickmark.lab.tail;
