-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- session-rows.sql - two runs, the second of which was cut off; test-samples.c adds their samples

INSERT INTO run (id, title, target, hostname, release, build_id, plan, started, zero_tsc, zero_mono_ns,
                 zero_unix_ns, tsc_khz, n_cpus, duration_ns, end_reason, boot_id)
  VALUES (1,'pipeline','lab:6.1','lab','6.1.0-56-amd64','ab12','[gilk-plan]','2026-11-20T10:00:00Z',1000,500,1763632800000000000,2500000,2,2000000000,'time is up','b007');
INSERT INTO run (id, title, target, hostname, release, build_id, plan, started, zero_tsc, zero_mono_ns,
                 zero_unix_ns, tsc_khz, n_cpus, duration_ns, end_reason, boot_id)
  VALUES (2,'cut','lab:6.1','lab','6.1.0-56-amd64','ab12','[gilk-plan]','2026-11-20T11:00:00Z',1000,500,1763636400000000000,2500000,2,NULL,NULL,'b007');
INSERT INTO instrument VALUES (1,1,'task','who was running',3,40,1);
INSERT INTO instrument VALUES (2,1,'count','counts',1,0,0);
INSERT INTO instrument VALUES (3,1,'span','entries and exits',1,8,1);
INSERT INTO instrument VALUES (4,2,'task','who was running',3,40,1);
INSERT INTO field VALUES (1,0,'pid','pid','','process',2,NULL);
INSERT INTO field VALUES (1,1,'comm','comm','','name',5,NULL);
INSERT INTO field VALUES (1,2,'big','big','B','large',0,NULL);
INSERT INTO field VALUES (3,0,'frame','frame','','where it returns to',4,NULL);
INSERT INTO field VALUES (4,0,'pid','pid','','process',2,NULL);
INSERT INTO hook VALUES (1,1,17,'sleeps','pipe_write','kernel','+0x2b1','pre','task','splice',-2128394911,-2128394911,0,0,7,NULL,0);
INSERT INTO hook VALUES (2,1,18,'calls','pipe_read','kernel','+0x0','pre','count','splice',-2128390911,-2128390911,0,0,3,NULL,0);
INSERT INTO hook VALUES (3,1,19,'in','vfs_read','kernel','+0x0','pre','span','splice',-2128380911,-2128380911,0,0,3,NULL,0);
INSERT INTO hook VALUES (4,1,20,'out','vfs_read','kernel','+0x40','post','span','splice',-2128380811,-2128380811,0,0,3,NULL,0);
INSERT INTO hook VALUES (5,2,17,'again','pipe_write','kernel','+0x2b1','pre','task','splice',-2128394911,-2128394911,0,0,7,NULL,0);
INSERT INTO counts VALUES (1,0,3,3,0,0,1900000000);
INSERT INTO counts VALUES (1,1,3,2,1,0,1900000000);
INSERT INTO counts VALUES (2,0,1234567890123,0,0,0,1900000000);
INSERT INTO counts VALUES (3,0,2,2,0,0,1900000000);
INSERT INTO counts VALUES (4,0,2,2,0,0,1900000000);
INSERT INTO counts VALUES (5,1,2,2,0,0,1000);
INSERT INTO loss VALUES (1,1,1000000,2000000,1,0);
INSERT INTO count_point VALUES (2,0,0);
INSERT INTO count_point VALUES (2,250000000,77);
