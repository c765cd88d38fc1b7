package io.tickmark.workloads.fix.session;

import java.nio.charset.StandardCharsets;

/** Bodies of the session layer's own messages. Not on a hot path. Single-threaded. */
final class AdminMessages {
    static final byte[] HEARTBEAT = type("0");
    static final byte[] TEST_REQUEST = type("1");
    static final byte[] RESEND_REQUEST = type("2");
    static final byte[] REJECT = type("3");
    static final byte[] SEQUENCE_RESET = type("4");
    static final byte[] LOGOUT = type("5");
    static final byte[] LOGON = type("A");
    static final byte[] BUSINESS_REJECT = type("j");

    /** Values of BusinessRejectReason (380). */
    static final int UNSUPPORTED_MESSAGE_TYPE = 3;

    static final int APPLICATION_NOT_AVAILABLE = 4;
    static final int CONDITIONALLY_REQUIRED_FIELD_MISSING = 5;

    private static final String UNENCRYPTED = "0";
    private static final int SESSION_REJECT_REASON = 373;
    private static final int REF_MSG_TYPE = 372;
    private static final int BUSINESS_REJECT_REASON = 380;
    private static final String YES = "Y";

    private final BodyBytes body = new BodyBytes(256);
    private final FixVersion version;

    AdminMessages(final FixVersion version) {
        this.version = version;
    }

    static byte[] type(final String type) {
        return type.getBytes(StandardCharsets.US_ASCII);
    }

    BodyBytes logon(final SessionConfig config, final int heartbeatSeconds, final boolean resets) {
        body.clear();
        body.field(Tags.ENCRYPT_METHOD, UNENCRYPTED).field(Tags.HEART_BT_INT, heartbeatSeconds);
        if (resets) {
            body.field(Tags.RESET_SEQ_NUM_FLAG, YES);
        }
        if (config.isTest()) {
            body.field(Tags.TEST_MESSAGE_INDICATOR, YES);
        }
        if (config.isInitiator() && !config.username().isEmpty()) {
            body.field(Tags.USERNAME, config.username());
        }
        if (config.isInitiator() && !config.password().isEmpty()) {
            body.field(Tags.PASSWORD, config.password());
        }
        if (!config.version().applVerId().isEmpty()) {
            body.field(Tags.DEFAULT_APPL_VER_ID, config.version().applVerId());
        }
        return body;
    }

    BodyBytes heartbeat(final String testReqId) {
        body.clear();
        return testReqId.isEmpty() ? body : body.field(Tags.TEST_REQ_ID, testReqId);
    }

    BodyBytes testRequest(final String id) {
        return body.clear().field(Tags.TEST_REQ_ID, id);
    }

    BodyBytes resendRequest(final long from) {
        return body.clear().field(Tags.BEGIN_SEQ_NO, from).field(Tags.END_SEQ_NO, 0);
    }

    BodyBytes gapFill(final long next) {
        return body.clear().field(Tags.GAP_FILL_FLAG, YES).field(Tags.NEW_SEQ_NO, next);
    }

    BodyBytes logout(final String text) {
        body.clear();
        return text.isEmpty() ? body : body.field(Tags.TEXT, text);
    }

    BodyBytes reject(
            final long refSequence,
            final String refType,
            final int reason,
            final int tag,
            final String text) {
        body.clear().field(Tags.REF_SEQ_NUM, refSequence);
        if (tag > 0) {
            body.field(Tags.REF_TAG_ID, tag);
        }
        body.field(REF_MSG_TYPE, refType);
        if (version.hasRejectReason(reason)) {
            body.field(SESSION_REJECT_REASON, reason);
        }
        return body.field(Tags.TEXT, text);
    }

    BodyBytes businessReject(
            final long refSequence, final String refType, final int reason, final String text) {
        return body.clear()
                .field(Tags.REF_SEQ_NUM, refSequence)
                .field(REF_MSG_TYPE, refType)
                .field(BUSINESS_REJECT_REASON, reason)
                .field(Tags.TEXT, text);
    }
}
