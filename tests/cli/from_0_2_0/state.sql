BEGIN TRANSACTION;
CREATE TABLE janroku_schema (
	version INTEGER NOT NULL, 
	PRIMARY KEY (version)
);
INSERT INTO "janroku_schema" VALUES(2);
CREATE TABLE janroku_state (
	"key" TEXT NOT NULL, 
	value TEXT NOT NULL, 
	expires DOUBLE, 
	PRIMARY KEY ("key")
);
INSERT INTO "janroku_state" VALUES('chat:C2c6e12f6492ddc0a2c1e7431262f2dd7','{"league": ""}',NULL);
INSERT INTO "janroku_state" VALUES('chat:C33333333333333333333333333333333','{"league": "east"}',NULL);
INSERT INTO "janroku_state" VALUES('event:1795422035:01M83QW741C4D240FFRXTP4VSV','done',1.79550845154978156088e+09);
INSERT INTO "janroku_state" VALUES('webhook','1',NULL);
INSERT INTO "janroku_state" VALUES('home:U5404616ee4d6c77fa98e13dab21591bc','C2c6e12f6492ddc0a2c1e7431262f2dd7',1.82998203542469477659e+09);
INSERT INTO "janroku_state" VALUES('asked:C2c6e12f6492ddc0a2c1e7431262f2dd7','2026-11-21',1.82998203542922472956e+09);
INSERT INTO "janroku_state" VALUES('event:1795422051:01M83QWQA38CQWBC1K28CNEXVH','done',1.79550846891944718359e+09);
INSERT INTO "janroku_state" VALUES('drawing:chart/17a9c01b25f992c1244413cb8af594b12699e526.png','1795422068.850359',1.79602686885037636762e+09);
INSERT INTO "janroku_state" VALUES('me::U5404616ee4d6c77fa98e13dab21591bc','白發中',NULL);
INSERT INTO "janroku_state" VALUES('me:east:U99999999999999999999999999999999','まん|がん',NULL);
INSERT INTO "janroku_state" VALUES('answer:C2c6e12f6492ddc0a2c1e7431262f2dd7:1795422069.0129d89477','[[["600000000000000002","600000000000000003","600000000000000004"],"request_rating"]]',1.79602686900505232811e+09);
INSERT INTO "janroku_state" VALUES('tenhou/connection','',NULL);
INSERT INTO "janroku_state" VALUES('tenhou/round','2026-11-21T20:35:00+09:00',NULL);
INSERT INTO "janroku_state" VALUES('tenhou/waiting//20261120','',1.79542213594996643072e+09);
INSERT INTO "janroku_state" VALUES('tenhou/kept//20261120','{"size": 132, "rooms": ["C1017", "C1934"], "lines": "eJxzNrQ0NlGoUTAysDIwANJPdnS+6FjztHf602kbXmxd8n5PL1DwceP+x40rHzd1PdnR8KJzk4a2qYGegabC85l7n8/c82THWg1tIxD/2dyNLxet0Hg2Z82TXbs0NXRNQaIA/1MvXw==", "merged": "eJxzNrQ0NlGoUTAysDIwANJPdnS+6FjztHf602kbXmxd8n5PL1DwceP+x40rHzd1PdnR8KJzk4a2qYGegabC85l7n8/c82THWg1tIxD/2dyNLxet0Hg2Z82TXbs0NXRNQaIA/1MvXw=="}',1.83171007594970059392e+09);
INSERT INTO "janroku_state" VALUES('tenhou/waiting//20261121','',1.79542213595019435881e+09);
INSERT INTO "janroku_state" VALUES('tenhou/kept//20261121','{"size": 117, "rooms": ["C1017", "C1934"], "lines": "eJxzNrQ0NlGoUTC0tDIwANJPdnS+6FjztHf602kbXmxd8n5PL1DwceP+x40rHzd1PdnR8KJzk4a2sYGegabC85l7n8/c82THWg1tIxD/2dyNLxet0Hg2Z82TXbs0NXSNQaIAAcEvYw==", "merged": "eJxzNrQ0NlGoUTC0tDIwANJPdnS+6FjztHf602kbXmxd8n5PL1DwceP+x40rHzd1PdnR8KJzk4a2sYGegabC85l7n8/c82THWg1tIxD/2dyNLxet0Hg2Z82TXbs0NXSNQaIAAcEvYw=="}',1.83171007595012140271e+09);
INSERT INTO "janroku_state" VALUES('tenhou/sizes/dd2351c96d44dd8a','2026-11-20:132,2026-11-21:117',1.83171007769418573386e+09);
INSERT INTO "janroku_state" VALUES('tenhou/through/','2026-11-21 dd2351c96d44dd8a C1017,C1934',NULL);
INSERT INTO "janroku_state" VALUES('synced','2026-11-21T20:35:00+09:00',NULL);
INSERT INTO "janroku_state" VALUES('tenhou/waiting//after','',1.79542213845044898988e+09);
INSERT INTO "janroku_state" VALUES('drawing:chart/e78a94ceda563323d3ae7041b16718870b438c9e.png','1795422076.1078682',1.79602687610788202283e+09);
INSERT INTO "janroku_state" VALUES('drawing:chart/e0e0d1e824292b7dd637bfa64ea647f1eb1c0886.png','1795422077.0859053',1.79602687708591914183e+09);
INSERT INTO "janroku_state" VALUES('tenhou/room-id/','{"room": "C1017", "id": "gAAAAABrA_d9v5XKU5jOSNDEtBccNzrugO2bDX3BobahaCuMUG13yH_wUQ5eATKYFYueIfVt_-sU_t-fN5rV5BiPxNGuApn8_iLEykDtzT9znX4lYefY_m0="}',NULL);
INSERT INTO "janroku_state" VALUES('tenhou/room/','eNqNUU1PhDAQ/StN9wIRNjODUOC2Wb16UG6wB1zqhkQgARoPxv9up6zRZL/sYdJ5bz5eXz/lOAydzIXcIqCSgZBT2+81IwSUhIghYYEqj+IcgPm57fRk+fJvAcFvwf9gZHhn8dH0fdsfeKJLhw83vZTTXI/zaSfgceDqpdg8F6IyEag3jknGMa0rc68BKpOSIkurRDUu7pmgxkKJUliZLK1TjxNyzGvt/2xDJCQ4dCEQZna1tSaE47E1caSs1FLqvjnzMshjZ+Tq8enhyi7vLoJ17J8R6MEa/Bvv8sKlWzoho57M+3zJZa64Po07T3Us6EWveLNTEQgrOBB8dRhZIBC0W4ziT53qtnEf/PUNXtSa4A==',NULL);
INSERT INTO "janroku_state" VALUES('tenhou/own-waiting//2026-11-21','',1.79542213778317284581e+09);
INSERT INTO "janroku_state" VALUES('tenhou/own//2026-11-21','eNpNjrsOwyAMRX8lypQoD9nmYcjaX+gGDKShU6e2bP34AlLULsfyvUcG53oC0oiEBAIBpCBOUsV+7lqzIC6EV4JN4AZQYuf+iqpdEJC7T1ccwDJ9lgmsz4bo5rMSigvVDiU5tPSZrTqappnRZ2uiGepSbZn2OA6TgFXNE9XUxrGorPlobA4dA6www68XwPdKbStNbH+oLxLTsLRzy3muD2Hu3s+cTt7j45VC+AIfSkWK',1.83171007778282189364e+09);
INSERT INTO "janroku_state" VALUES('tenhou/records/','{"waiting": {}, "known": ["2026112120gm-0219-11017-00000000"]}',NULL);
INSERT INTO "janroku_state" VALUES('drawing:chart/7071d856bfd35f4cf3e99cea5ee4cf3fa53db297.png','1795422078.419804',1.79602687841982054705e+09);
INSERT INTO "janroku_state" VALUES('drawing:chart/675aa958bd917285bea8a0c0395494f5d9b5618b.png','1795422078.4438264',1.79602687844384169583e+09);
INSERT INTO "janroku_state" VALUES('tenhou/waiting/east/20261119','188bfdb05d258a5f',1.83171007955393290523e+09);
INSERT INTO "janroku_state" VALUES('tenhou/kept/east/20261119','{"size": 70, "rooms": ["C1934"], "lines": "eJyrUKhRMOSqAJJGYNIYACgfBEc=", "merged": "eJyrUKhRMOSqAJJGABIgAtY="}',1.83171007955411839487e+09);
INSERT INTO "janroku_state" VALUES('tenhou/kept/east/20261118','{"size": 10, "rooms": ["C1934"], "lines": "", "merged": ""}',1.79887807955484509475e+09);
INSERT INTO "janroku_state" VALUES('tenhou/waiting/east/after','2026-11-19',1.83171007955494570731e+09);
INSERT INTO "janroku_state" VALUES('tenhou/records/east','{"waiting": {"2026112020gm-0009-0000-0000000c": ["2026-11-21T20:40:00+09:00", 1], "2026112020gm-0009-0000-0000000d": ["2026-11-21T20:35:00+09:00", 0]}, "known": ["2026112020gm-0009-0000-0000000a", "2026112020gm-0009-0000-0000000b"], "refused": ["2026112020gm-0009-0000-0000000b"]}',NULL);
INSERT INTO "janroku_state" VALUES('dropbox:east','{"folder": "/\u30ea\u30fc\u30b0", "token": "gAAAAABrA_d_DrQVJXvNUZdR83s8HZaaiXcA0pnx9ClesM1yc7qVUrGANuGzD3CTirr3lK1PKb5UmC5GDTylhpzS20-X9slp8w=="}',NULL);
INSERT INTO "janroku_state" VALUES('fault/open//token','{"about": "a", "said": "\u30c8\u30fc\u30af\u30f3", "since": "2026-11-21T20:35:00+09:00"}',NULL);
INSERT INTO "janroku_state" VALUES('fault/told//token','2026-11-21T20:35:00+09:00',NULL);
INSERT INTO "janroku_state" VALUES('fault/open/east/folder','{"about": "b", "said": "\u30d5\u30a9\u30eb\u30c0", "since": "2026-11-21T20:35:00+09:00"}',NULL);
INSERT INTO "janroku_state" VALUES('fault/over/east/log','{"begin": "2026-11-21T18:35:00+09:00", "end": "2026-11-21T19:35:00+09:00"}',1.79801407955703353887e+09);
INSERT INTO "janroku_state" VALUES('fault/over//taken','',1.79542208057275724407e+09);
INSERT INTO "janroku_state" VALUES('digest:C2c6e12f6492ddc0a2c1e7431262f2dd7:2026-11-20','1',1.79602687957351827619e+09);
INSERT INTO "janroku_state" VALUES('season:C2c6e12f6492ddc0a2c1e7431262f2dd7:1','1',NULL);
INSERT INTO "janroku_state" VALUES('notice:U1:token  x','not sent',1.79801407957382845879e+09);
INSERT INTO "janroku_state" VALUES('rooms/asked/','2026-11-21T20:35:00+09:00',1.79663167957420086859e+09);
INSERT INTO "janroku_state" VALUES('rooms/tapped/','2026-11-21T20:35:00+09:00',1.7954221995743250847e+09);
INSERT INTO "janroku_state" VALUES('event:1795422079:01UNANSWERED00000000000001','542b14ad273f 1795422079.575 {"event": {"type": "postback", "webhookEventId": "01UNANSWERED00000000000001", "timestamp": 1795422079574, "replyToken": "rrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr", "mode": "active", "source": {"type": "group", "groupId": "C2c6e12f6492ddc0a2c1e7431262f2dd7", "userId": "U5404616ee4d6c77fa98e13dab21591bc"}, "postback": {"data": "request_rating"}, "deliveryContext": {"isRedelivery": false}}, "base": "https://x.example"}',1.79550847957469463349e+09);
INSERT INTO "janroku_state" VALUES('event:1795422079:01UNANSWERED00000000000002','later 1795422079.575 {"event": {"type": "postback", "webhookEventId": "01UNANSWERED00000000000002", "timestamp": 1795422079574, "replyToken": "rrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr", "mode": "active", "source": {"type": "group", "groupId": "C2c6e12f6492ddc0a2c1e7431262f2dd7", "userId": "U5404616ee4d6c77fa98e13dab21591bc"}, "postback": {"data": "request_rating"}, "deliveryContext": {"isRedelivery": false}}, "base": "https://x.example", "messages": [{"type": "text", "text": "\u96c0"}]}',1.79550847957504415512e+09);
CREATE INDEX janroku_state_expires ON janroku_state (expires);
COMMIT;
