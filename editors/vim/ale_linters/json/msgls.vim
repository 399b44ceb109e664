call msgls#ale#Define('json')
