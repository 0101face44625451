filedesc://old.arc 0.0.0.0 20200102030405 text/plain 20
1 0 x
URL IP-address
