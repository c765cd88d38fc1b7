/**
 * FIX fan-out: a gateway, its producers and its consumers; here, the options that all of them have.
 *
 * <p>One message, from the producer's schedule to the report, file by file:
 *
 * <ol>
 *   <li>{@code workloads/fix/.../client/Producers.java} is the role that sends. Each of its threads
 *       runs one {@code ProducerLoop}, nested there, for many sessions. Message <i>n</i> is due
 *       when {@code kernel/.../time/Schedules.java} says so; {@code kernel/.../time/Pacer.java}
 *       compares that with the clock.
 *   <li>Before it is due, the loop prepares {@code workloads/fix/.../message/StampedMessage.java}:
 *       the body of {@code workloads/fix/.../message/FixTemplate.java} with a stamp, whose fields
 *       are in {@code workloads/fix/.../message/StampTags.java}. When it is due, only the send time
 *       is written.
 *   <li>{@code workloads/fix/.../session/FixSession.java} gives it its sequence number: {@code
 *       workloads/fix/.../session/SessionEncoder.java} writes header and trailer around the body
 *       into {@code workloads/fix/.../session/OutBuffer.java}.
 *   <li>{@code workloads/fix/.../client/ClientSessions.java} holds the sessions of a thread and its
 *       selector. {@code workloads/fix/.../link/Connection.java} writes what waits through {@code
 *       workloads/fix/.../link/ByteLink.java}, which is a socket or TLS ({@code
 *       workloads/fix/.../link/Tls.java}).
 *   <li>{@code workloads/fix/.../gateway/Gateway.java} is the role in the middle; its engine,
 *       {@code workloads/fix/.../gateway/OwnEngine.java}, starts the threads, each a {@code
 *       workloads/fix/.../gateway/Worker.java}. What the workers share is in {@code
 *       workloads/fix/.../gateway/GatewayState.java}. An engine on another library replaces this
 *       step and the next four.
 *   <li>A worker reads through the same {@code Connection}. {@code FixSession} finds where the
 *       message ends ({@code wire/.../fix/FixFramer.java}) and reads its header ({@code
 *       workloads/fix/.../session/InboundMessage.java}); {@code
 *       workloads/fix/.../session/Inbound.java} checks number, times and fields ({@code
 *       workloads/fix/.../session/BodyScan.java}, {@code
 *       workloads/fix/.../session/FieldRules.java}) and passes it to the worker.
 *   <li>The worker takes a message that is marked to fan out, without the producer's header, as
 *       {@code workloads/fix/.../gateway/FanOutMessage.java}: into its own {@code
 *       workloads/fix/.../gateway/FanOut.java} and, by {@code
 *       workloads/fix/.../gateway/WorkerInbox.java}, into those of all other workers.
 *   <li>{@code FanOut} gathers messages until the end of a pass. {@code
 *       workloads/fix/.../gateway/Book.java} keeps the newest of each symbol, for snapshots and
 *       conflation, and {@code workloads/fix/.../gateway/Variants.java} has the bodies for
 *       consumers that subscribed to it ({@code workloads/fix/.../gateway/SubscriptionList.java}).
 *   <li>Then each {@code workloads/fix/.../gateway/ConsumerSession.java} in turn is offered all of
 *       them: sent by its {@code FixSession}, or treated by the rule for slow consumers ({@code
 *       workloads/fix/.../gateway/SlowRules.java}). What is sent is kept for resending in a {@code
 *       workloads/fix/.../session/MessageStore.java}; for a consumer that is away {@code
 *       workloads/fix/.../gateway/AwaySessions.java} keeps it.
 *   <li>{@code workloads/fix/.../client/Consumers.java} is the role that receives, with {@code
 *       ClientSessions}, {@code Connection} and {@code FixSession} as above. {@code
 *       workloads/fix/.../client/Received.java} reads the clock first, then the stamp ({@code
 *       workloads/fix/.../message/StampFields.java}), and checks the number among those of its
 *       producer ({@code workloads/fix/.../client/ProducerSequences.java}).
 *   <li>It subtracts: response time from when the message was intended, service time from when it
 *       was sent. {@code kernel/.../record/LatencyRecorder.java} adds both to histograms; {@code
 *       kernel/.../stall/MessageLog.java} keeps the times of the slowest.
 *   <li>At the end each role makes a {@code kernel/.../result/StepResult.java} of its counts
 *       ({@code Received} and {@code Producers} have theirs nested, the gateway's names are in
 *       {@code workloads/fix/.../gateway/GatewayCounts.java}). From here on it goes like any other:
 *       {@code lab/.../verdict/TrialMerge.java} adds up what the roles measured, {@code
 *       lab/.../verdict/Judge.java} judges it, {@code report/.../RunTables.java} prints it.
 * </ol>
 */
package io.tickmark.workloads.fix;
