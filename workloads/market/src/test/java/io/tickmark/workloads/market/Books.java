package io.tickmark.workloads.market;

/** Order books as a message file: maps with a field set, as in the guide's section on them. */
public final class Books {
    public static final String FILE =
            """
            <msgFormat><marketByOrderMsgList updateMsgCount="1">
            <refreshMsg><dataBody><map>
            <fieldSetDefs><fieldSetDef setId="0">
              <fieldSetDefEntry fieldId="3427" dataType="RSSL_DT_REAL"/>
              <fieldSetDefEntry fieldId="3429" dataType="RSSL_DT_REAL"/>
              <fieldSetDefEntry fieldId="3855" dataType="RSSL_DT_UINT_2"/>
              <fieldSetDefEntry fieldId="212" dataType="RSSL_DT_RMTES_STRING"/>
              <fieldSetDefEntry fieldId="3428" dataType="RSSL_DT_ENUM"/>
            </fieldSetDef></fieldSetDefs>
            <mapEntry action="RSSL_MPEA_ADD_ENTRY" key="100"><fieldList setId="0">
              <fieldEntry fieldId="3427" dataType="RSSL_DT_REAL" data="360287970189639.67"/>
              <fieldEntry fieldId="3429" dataType="RSSL_DT_REAL" data="36028797018963967"/>
              <fieldEntry fieldId="3855" dataType="RSSL_DT_UINT" data="500"/>
              <fieldEntry fieldId="212" dataType="RSSL_DT_RMTES_STRING" data="MarketMaker1"/>
              <fieldEntry fieldId="3428" dataType="RSSL_DT_ENUM" data="1"/>
            </fieldList></mapEntry>
            <mapEntry action="RSSL_MPEA_ADD_ENTRY" key="101"><fieldList setId="0">
              <fieldEntry fieldId="3427" dataType="RSSL_DT_REAL" data="1.5"/>
              <fieldEntry fieldId="3429" dataType="RSSL_DT_REAL" data="2"/>
              <fieldEntry fieldId="3855" dataType="RSSL_DT_UINT" data="0"/>
              <fieldEntry fieldId="212" dataType="RSSL_DT_RMTES_STRING" data="M2"/>
              <fieldEntry fieldId="3428" dataType="RSSL_DT_ENUM" data="2"/>
              <fieldEntry fieldId="22" dataType="RSSL_DT_REAL" data="9"/>
            </fieldList></mapEntry>
            </map></dataBody></refreshMsg>
            <updateMsg><dataBody><map>
            <mapEntry action="RSSL_MPEA_UPDATE_ENTRY" key="100"><fieldList>
              <fieldEntry fieldId="3427" dataType="RSSL_DT_REAL" data="360287970189638.67"/>
            </fieldList></mapEntry>
            <mapEntry action="RSSL_MPEA_DELETE_ENTRY" key="101"/>
            </map></dataBody></updateMsg>
            </marketByOrderMsgList></msgFormat>
            """;

    private Books() {}
}
