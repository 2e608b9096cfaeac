## Each interlocutor has a session of its own; the name is data.
$ shadow --as 'Ada / ../x' run -- sh -c 'echo ada >who'
$ SHADOW_INTERLOCUTOR=Bob shadow run -- sh -c 'cat who || echo bob >who'
cat: who: No such file or directory
$ LECTIC_INTERLOCUTOR=Bob shadow run -- cat who
bob
$ LECTIC_INTERLOCUTOR=Bob SHADOW_INTERLOCUTOR='Ada / ../x' shadow run -- cat who
ada
$ shadow status
shadow: cannot go on: internal error: std::get: wrong index for variant
[2]
$ shadow --as Bob status
shadow: cannot go on: internal error: std::get: wrong index for variant
[2]
$ shadow list --json | python3 -c 'import json, sys; print(sorted(s["interlocutor"] for s in json.load(sys.stdin)["sessions"]))'
{"error":{"kind":"trouble","message":"cannot go on: internal error: std::get: wrong index for variant","paths":[]}}
Traceback (most recent call last):
  File "<string>", line 1, in <module>
  File "/root/.pyenv/versions/3.11.7/lib/python3.11/json/__init__.py", line 293, in load
    return loads(fp.read(),
           ^^^^^^^^^^^^^^^^
  File "/root/.pyenv/versions/3.11.7/lib/python3.11/json/__init__.py", line 346, in loads
    return _default_decoder.decode(s)
           ^^^^^^^^^^^^^^^^^^^^^^^^^^
  File "/root/.pyenv/versions/3.11.7/lib/python3.11/json/decoder.py", line 337, in decode
    obj, end = self.raw_decode(s, idx=_w(s, 0).end())
               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  File "/root/.pyenv/versions/3.11.7/lib/python3.11/json/decoder.py", line 355, in raw_decode
    raise JSONDecodeError("Expecting value", s, err.value) from None
json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)
[1]
